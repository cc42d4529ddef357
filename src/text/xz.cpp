#include <lzma.h>

#include <new>

#include "text/bytes.hpp"
#include "text/decoder.hpp"

namespace tain::text {
namespace {

class XzDecoder final : public Decoder {
 public:
  XzDecoder() { restart(); }
  ~XzDecoder() override { lzma_end(&stream_); }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;

  Decoded decode(std::string_view input, std::span<char> output) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret result = lzma_code(&stream_, LZMA_RUN);
    switch (result) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:  // no progress was possible, which the caller sees from the counts
        break;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw Damage("xz data need more than 256 MiB of memory",
                     "compress the file again with xz -9 or less");
      case LZMA_OPTIONS_ERROR:
        throw Damage("xz data use a filter that is unknown here",
                     "compress the file again with xz");
      default:
        throw Damage("xz data are damaged");
    }
    return {input.size() - stream_.avail_in, output.size() - stream_.avail_out,
            result == LZMA_STREAM_END};
  }

  // Initialising a stream that is in use keeps its memory.
  void restart() override {
    static_assert(max_xz_bytes == std::uint64_t{256} << 20, "the message above states it");
    if (lzma_stream_decoder(&stream_, max_xz_bytes, 0) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<Decoder> xz_decoder() { return std::make_unique<XzDecoder>(); }

}  // namespace tain::text
