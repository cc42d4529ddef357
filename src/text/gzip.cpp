#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "text/decoder.hpp"

namespace tain::text {
namespace {

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    // 16 added to the window's bits: gzip's own header and checksum, nothing else.
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  Decoded decode(std::string_view input, std::span<char> output) override {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const auto in = static_cast<uInt>(std::min(input.size(), most));
    const auto out = static_cast<uInt>(std::min(output.size(), most));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    // Z_BUF_ERROR: no progress was possible, which the caller sees from the counts.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      throw Damage("gzip data are damaged");
    }
    return {in - stream_.avail_in, out - stream_.avail_out, result == Z_STREAM_END};
  }

  void restart() override { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<Decoder> gzip_decoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace tain::text
