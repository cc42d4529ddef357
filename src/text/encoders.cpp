// Four libraries behind one interface; levels are those of their own programs (gzip, xz, zstd: the
// usual one; bzip2: its only one in use).
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "tain/core/error.hpp"
#include "text/encoder.hpp"

namespace tain::text {
namespace {

constexpr int gzip_level = 6, bzip2_level = 9, xz_level = 6, zstd_level = 3;

void require(bool condition) {
  if (!condition) {
    throw std::bad_alloc();  // the only way these calls fail when used as they are here
  }
}

/// At most what a call of zlib and bzip2 takes.
unsigned piece(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
}

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder() {
    // 16 added to the window's bits: gzip's own header, without name and time.
    require(deflateInit2(&stream_, gzip_level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) ==
            Z_OK);
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  Encoded encode(std::string_view input, std::span<char> output) override {
    return run(input, output, Z_NO_FLUSH);
  }
  Encoded finish(std::span<char> output) override { return run({}, output, Z_FINISH); }

 private:
  Encoded run(std::string_view input, std::span<char> output, int action) {
    const unsigned in = piece(input.size()), out = piece(output.size());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = out;
    const int result = deflate(&stream_, action);
    return {in - stream_.avail_in, out - stream_.avail_out, result == Z_STREAM_END};
  }

  z_stream stream_{};
};

class Bzip2Encoder final : public Encoder {
 public:
  Bzip2Encoder() { require(BZ2_bzCompressInit(&stream_, bzip2_level, 0, 0) == BZ_OK); }
  ~Bzip2Encoder() override { BZ2_bzCompressEnd(&stream_); }
  Bzip2Encoder(const Bzip2Encoder&) = delete;
  Bzip2Encoder& operator=(const Bzip2Encoder&) = delete;

  Encoded encode(std::string_view input, std::span<char> output) override {
    return run(input, output, BZ_RUN);
  }
  Encoded finish(std::span<char> output) override { return run({}, output, BZ_FINISH); }

 private:
  Encoded run(std::string_view input, std::span<char> output, int action) {
    const unsigned in = piece(input.size()), out = piece(output.size());
    stream_.next_in = const_cast<char*>(input.data());
    stream_.avail_in = in;
    stream_.next_out = output.data();
    stream_.avail_out = out;
    const int result = BZ2_bzCompress(&stream_, action);
    return {in - stream_.avail_in, out - stream_.avail_out, result == BZ_STREAM_END};
  }

  bz_stream stream_{};
};

class XzEncoder final : public Encoder {
 public:
  XzEncoder() { require(lzma_easy_encoder(&stream_, xz_level, LZMA_CHECK_CRC64) == LZMA_OK); }
  ~XzEncoder() override { lzma_end(&stream_); }
  XzEncoder(const XzEncoder&) = delete;
  XzEncoder& operator=(const XzEncoder&) = delete;

  Encoded encode(std::string_view input, std::span<char> output) override {
    return run(input, output, LZMA_RUN);
  }
  Encoded finish(std::span<char> output) override { return run({}, output, LZMA_FINISH); }

 private:
  Encoded run(std::string_view input, std::span<char> output, lzma_action action) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data());
    stream_.avail_in = input.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream_.avail_out = output.size();
    const lzma_ret result = lzma_code(&stream_, action);
    require(result != LZMA_MEM_ERROR);
    return {input.size() - stream_.avail_in, output.size() - stream_.avail_out,
            result == LZMA_STREAM_END};
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : context_(ZSTD_createCCtx()) {
    require(context_ != nullptr);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, zstd_level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  Encoded encode(std::string_view input, std::span<char> output) override {
    return run(input, output, ZSTD_e_continue);
  }
  Encoded finish(std::span<char> output) override { return run({}, output, ZSTD_e_end); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  Encoded run(std::string_view input, std::span<char> output, ZSTD_EndDirective action) {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, action);
    require(!ZSTD_isError(left));
    return {in.pos, out.pos, action == ZSTD_e_end && left == 0};
  }

  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<Encoder> make_encoder(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipEncoder>();
    case Compression::bzip2:
      return std::make_unique<Bzip2Encoder>();
    case Compression::xz:
      return std::make_unique<XzEncoder>();
    case Compression::zstd:
      return std::make_unique<ZstdEncoder>();
    case Compression::none:
      break;
  }
  fail(Fault::internal, "make_encoder", "nothing to encode", "please report it");
}

}  // namespace tain::text
