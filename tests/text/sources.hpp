// Sources for tests: compressed bytes, and sources that give few bytes at a time.
#pragma once

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/bytes.hpp"

namespace tain::testing_text {

inline constexpr std::array compressions{Compression::none, Compression::gzip, Compression::bzip2,
                                         Compression::xz, Compression::zstd};

inline void require(bool condition) {
  if (!condition) {
    throw std::logic_error("compression failed");
  }
}

inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  require(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string bzip2(std::string_view bytes) {
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 50 + 1000);
  std::string out(size, '\0');
  char nothing = 0;
  require(BZ2_bzBuffToBuffCompress(out.data(), &size,
                                   bytes.empty() ? &nothing : const_cast<char*>(bytes.data()),
                                   static_cast<unsigned>(bytes.size()), 1, 0, 0) == BZ_OK);
  out.resize(size);
  return out;
}

inline std::string xz(std::string_view bytes) {
  std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  require(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                                  reinterpret_cast<std::uint8_t*>(out.data()), &size,
                                  out.size()) == LZMA_OK);
  out.resize(size);
  return out;
}

inline std::string zstd(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                        ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  require(!ZSTD_isError(size));
  out.resize(size);
  return out;
}

inline std::string compress(Compression compression, std::string_view bytes) {
  switch (compression) {
    case Compression::gzip:
      return gzip(bytes);
    case Compression::bzip2:
      return bzip2(bytes);
    case Compression::xz:
      return xz(bytes);
    case Compression::zstd:
      return zstd(bytes);
    case Compression::none:
      break;
  }
  return std::string(bytes);
}

/// Gives at most as many bytes at a time as the next of `sizes` says, over and over.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, std::vector<std::size_t> sizes)
      : bytes_(bytes, "t"), sizes_(std::move(sizes)) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t most = sizes_.empty() ? into.size() : sizes_[reads_++ % sizes_.size()];
    return bytes_.read(into.first(std::min(into.size(), most)));
  }
  const std::string& name() const override { return bytes_.name(); }
  std::uint64_t consumed() const override { return bytes_.consumed(); }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  MemoryBytes bytes_;
  std::vector<std::size_t> sizes_;
  std::size_t reads_ = 0;
};

/// Everything a source gives, in pieces of the sizes given, over and over.
inline std::string drain(ByteSource& source, const std::vector<std::size_t>& sizes = {}) {
  std::string all;
  std::vector<char> piece(65536);
  for (std::size_t i = 0;; ++i) {
    const std::size_t most = sizes.empty() ? piece.size() : sizes[i % sizes.size()];
    const std::size_t count = source.read({piece.data(), most});
    if (count == 0) {
      return all;
    }
    all.append(piece.data(), count);
  }
}

/// What comes out of stored bytes.
inline std::string unpacked(std::string_view stored) {
  return drain(*decompress(std::make_unique<MemoryBytes>(stored, "t")));
}

}  // namespace tain::testing_text
