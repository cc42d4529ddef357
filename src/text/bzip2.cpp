#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "text/decoder.hpp"

namespace tain::text {
namespace {

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() { begin(); }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;

  Decoded decode(std::string_view input, std::span<char> output) override {
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const auto in = static_cast<unsigned>(std::min(input.size(), most));
    const auto out = static_cast<unsigned>(std::min(output.size(), most));
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = in;
    stream_.next_out = output.data();
    stream_.avail_out = out;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (result != BZ_OK && result != BZ_STREAM_END) {
      throw Damage("bzip2 data are damaged");
    }
    return {in - stream_.avail_in, out - stream_.avail_out, result == BZ_STREAM_END};
  }

  void restart() override {
    BZ2_bzDecompressEnd(&stream_);
    begin();
  }

 private:
  void begin() {
    stream_ = bz_stream{};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
      throw std::bad_alloc();
    }
  }

  bz_stream stream_{};
};

}  // namespace

std::unique_ptr<Decoder> bzip2_decoder() { return std::make_unique<Bzip2Decoder>(); }

}  // namespace tain::text
