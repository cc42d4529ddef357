#include <zstd.h>
#include <zstd_errors.h>

#include <bit>
#include <new>

#include "text/bytes.hpp"
#include "text/decoder.hpp"

namespace tain::text {
namespace {

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {
    static_assert(max_window_bytes == std::uint64_t{128} << 20, "the message below states it");
    constexpr int window_log = std::bit_width(max_window_bytes) - 1;
    if (context_ == nullptr ||
        ZSTD_isError(ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log))) {
      throw std::bad_alloc();
    }
  }

  Decoded decode(std::string_view input, std::span<char> output) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(result)) {
      explain(result);
    }
    return {in.pos, out.pos, result == 0};
  }

  void restart() override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  [[noreturn]] static void explain(std::size_t result) {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw Damage("zstd frame needs a window of more than 128 MiB",
                     "compress the file again without --long, or with --long=27 at most");
      case ZSTD_error_dictionary_wrong:
        throw Damage("zstd frame needs a dictionary", "compress the file again without -D");
      default:
        throw Damage("zstd data are damaged");
    }
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

}  // namespace

std::unique_ptr<Decoder> zstd_decoder() { return std::make_unique<ZstdDecoder>(); }

}  // namespace tain::text
