#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tain/core/error.hpp"
#include "text/bytes.hpp"
#include "text/decoder.hpp"

namespace tain {
namespace {

using namespace std::string_view_literals;
using text::Damage;
using text::Decoded;
using text::Decoder;

constexpr std::size_t stored_bytes = std::size_t{64} << 10;
/// Enough to know every magic number that stands first, and tar's, which stands at 257.
constexpr std::size_t peeked_bytes = 512;
constexpr std::size_t magic_bytes = 16;

/// A text may begin with "BZh9" too: the six bytes that follow in every bzip2 file decide. In a
/// shorter file they are missing, and it is taken for a truncated one.
bool begins_bzip2(std::string_view first) {
  if (first.size() < 4 || !first.starts_with("BZh") || first[3] < '1' || first[3] > '9') {
    return false;
  }
  const std::string_view block = first.substr(4, 6);
  return "\x31\x41\x59\x26\x53\x59"sv.starts_with(block) ||
         "\x17\x72\x45\x38\x50\x90"sv.starts_with(block);
}

bool begins_zstd(std::string_view first) {
  const bool skippable = first.size() >= 4 && (static_cast<unsigned char>(first[0]) & 0xF0) == 0x50;
  return first.starts_with("\x28\xB5\x2F\xFD") ||
         (skippable && first.substr(1).starts_with("\x2A\x4D\x18"));
}

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return text::gzip_decoder();
    case Compression::bzip2:
      return text::bzip2_decoder();
    case Compression::xz:
      return text::xz_decoder();
    case Compression::zstd:
      return text::zstd_decoder();
    case Compression::none:
      break;
  }
  fail(Fault::internal, "make_decoder", "nothing to decode", "please report it");
}

/// Files that hold files, and compressions that have no reader here.
void refuse_archive(const ByteSource& source, std::string_view first) {
  struct Archive {
    std::string_view magic, name;
    std::size_t position = 0;
  };
  static constexpr std::array archives{
      Archive{"PK\x03\x04", "a zip archive"},
      Archive{"7z\xBC\xAF\x27\x1C", "a 7z archive"},
      Archive{"Rar!\x1A\x07", "a rar archive"},
      // Only with the zero or blanks that follow: texts may hold the word.
      Archive{"ustar\0"sv, "a tar archive", 257},
      Archive{"ustar  \0"sv, "a tar archive", 257},
      Archive{"LZIP\x01", "compressed by lzip"},
      Archive{"\x04\x22\x4D\x18", "compressed by lz4"},
      Archive{"\x1F\x9D", "compressed by compress"},
  };
  for (const Archive& archive : archives) {
    if (first.size() > archive.position &&
        first.substr(archive.position).starts_with(archive.magic)) {
      fail(Fault::data, source.name(), fmt::format("is {}", archive.name),
           "unpack it first (gzip, bzip2, xz and zstd files can be given as they are)");
    }
  }
}

class DecompressedBytes final : public ByteSource {
 public:
  DecompressedBytes(std::unique_ptr<ByteSource> stored, Compression compression)
      : stored_(std::move(stored)),
        compression_(compression),
        decoder_(make_decoder(compression)),
        buffer_(std::make_unique_for_overwrite<char[]>(stored_bytes)) {}

  std::size_t read(std::span<char> into) override;
  const std::string& name() const override { return stored_->name(); }
  std::uint64_t consumed() const override { return consumed_; }
  std::optional<std::uint64_t> size() const override { return stored_->size(); }

 private:
  std::string_view input() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void refill();
  Decoded decode(std::span<char> into);
  bool next_stream();
  void skip_padding();
  void refuse_bomb() const;
  [[noreturn]] void damaged(std::string_view problem, std::string_view remedy) const {
    fail(Fault::data, fmt::format("{}: byte {}", name(), consumed_), problem, remedy);
  }

  std::unique_ptr<ByteSource> stored_;
  Compression compression_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t consumed_ = 0, given_ = 0;
  bool between_ = false;  ///< a stream has ended and the next has not begun
  bool exhausted_ = false;
};

std::size_t DecompressedBytes::read(std::span<char> into) {
  while (!into.empty()) {
    if (between_ && !next_stream()) {
      break;
    }
    if (begin_ == end_) {
      refill();
    }
    const Decoded decoded = decode(into);
    between_ = decoded.ended;
    if (decoded.given > 0) {
      refuse_bomb();
      return decoded.given;
    }
    if (!decoded.ended && decoded.taken == 0 && exhausted_) {
      damaged(fmt::format("{} data end too early", compression_name(compression_)),
              "the file is truncated: copy or download it again");
    }
  }
  return 0;
}

Decoded DecompressedBytes::decode(std::span<char> into) {
  try {
    const Decoded decoded = decoder_->decode(input(), into);
    begin_ += decoded.taken;
    consumed_ += decoded.taken;
    given_ += decoded.given;
    return decoded;
  } catch (const Damage& damage) {
    damaged(damage.what(), damage.remedy);
  }
}

/// Reads more stored bytes behind those not used yet.
void DecompressedBytes::refill() {
  if (exhausted_) {
    return;
  }
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t count = stored_->read({buffer_.get() + end_, stored_bytes - end_});
  end_ += count;
  exhausted_ = count == 0;
}

/// Begins the stream that follows; false if the file ends here.
bool DecompressedBytes::next_stream() {
  skip_padding();
  while (input().size() < magic_bytes && !exhausted_) {
    refill();
  }
  if (input().empty()) {
    return false;
  }
  if (detect_compression(input()) != compression_) {
    damaged(fmt::format("bytes after the end of the {} data", compression_name(compression_)),
            "remove them, or copy or download the file again");
  }
  decoder_->restart();
  between_ = false;
  return true;
}

/// Zeros after a stream: xz pads to multiples of four bytes, gzip files come from tapes.
void DecompressedBytes::skip_padding() {
  if (compression_ != Compression::xz && compression_ != Compression::gzip) {
    return;
  }
  std::uint64_t zeros = 0;
  do {
    for (; begin_ < end_ && buffer_[begin_] == '\0'; ++begin_, ++consumed_) {
      ++zeros;
    }
    if (begin_ == end_) {
      refill();
    }
  } while (begin_ < end_ && buffer_[begin_] == '\0');
  if (compression_ == Compression::xz && zeros % 4 != 0) {
    damaged("padding after the xz data is not a multiple of four bytes",
            "remove it, or copy or download the file again");
  }
}

void DecompressedBytes::refuse_bomb() const {
  if (given_ > bomb_grace_bytes && given_ / bomb_ratio > consumed_) {
    damaged(fmt::format("{} bytes came out of {}: this looks like a decompression bomb", given_,
                        consumed_),
            "decompress it yourself if you trust it");
  }
}

}  // namespace

Compression detect_compression(std::string_view first) {
  if (first.starts_with("\x1F\x8B")) {
    return Compression::gzip;
  }
  if (first.starts_with("\xFD\x37\x7A\x58\x5A\x00"sv)) {
    return Compression::xz;
  }
  if (begins_zstd(first)) {
    return Compression::zstd;
  }
  return begins_bzip2(first) ? Compression::bzip2 : Compression::none;
}

std::string_view compression_name(Compression compression) {
  static constexpr std::array<std::string_view, 5> names{"none", "gzip", "bzip2", "xz", "zstd"};
  return names[static_cast<std::size_t>(compression)];
}

std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> stored) {
  auto source = std::make_unique<PeekedBytes>(std::move(stored), peeked_bytes);
  const Compression compression = detect_compression(source->first());
  if (compression != Compression::none) {
    source = std::make_unique<PeekedBytes>(
        std::make_unique<DecompressedBytes>(std::move(source), compression), peeked_bytes);
  }
  refuse_archive(*source, source->first());
  return source;
}

}  // namespace tain
