// Bytes of a file, decompressed while they are read.
//
// Definition: a source gives the bytes of a file or of standard input once, from first to last.
//   Compression is known by the first bytes, never by the name: gzip (several members), bzip2
//   (several streams), xz (several streams, padding), zstd (several frames, skippable frames);
//   everything else is passed on as it is.
// Laws: compress, then read, is the identity, for any number of concatenated streams and any sizes
//   of reads. Damage, a missing end, bytes after the end and decompression bombs are Error (data)
//   with the message `<name>: byte <offset in the stored file>: ...`; a bad file never gives more
//   bytes than were decoded before the damage. No source seeks: pipes are as good as files.
// Cost: memory does not depend on the length: a buffer of 64 KiB, and at most `max_window_bytes`
//   (zstd) or `max_xz_bytes` for what a stream may refer back to; streams that ask for more are
//   refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tain {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `into` from its front and returns how many bytes came: 0 at the end only (or if `into`
  /// is empty), else as many as are at hand.
  virtual std::size_t read(std::span<char> into) = 0;
  /// For messages: the path, or "standard input".
  virtual const std::string& name() const = 0;
  /// Progress: bytes of the stored file used so far, and how many it has (none: a pipe).
  virtual std::uint64_t consumed() const = 0;
  virtual std::optional<std::uint64_t> size() const = 0;
};

enum class Compression { none, gzip, bzip2, xz, zstd };

/// What `first` (16 bytes or more, unless the file is shorter) begins.
Compression detect_compression(std::string_view first);
/// "gzip", "bzip2", "xz", "zstd", "none".
std::string_view compression_name(Compression compression);

/// More output than this many times the input, after the first `bomb_grace_bytes`, is refused.
inline constexpr std::uint64_t bomb_ratio = 250;
inline constexpr std::uint64_t bomb_grace_bytes = std::uint64_t{64} << 20;
/// Largest window of a zstd frame: what `zstd --ultra -22` and `--long` ask for.
inline constexpr std::uint64_t max_window_bytes = std::uint64_t{128} << 20;
/// Most memory an xz stream may ask for; `xz -9` asks for 65 MiB.
inline constexpr std::uint64_t max_xz_bytes = std::uint64_t{256} << 20;

/// Opens a file, or standard input for "-", and decompresses it. Faults: no_input (missing, a
/// folder, no permission), data (an archive that holds files, or damage), io.
std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path);

/// Decompresses what another source gives; a source that is not compressed is passed on.
std::unique_ptr<ByteSource> decompress(std::unique_ptr<ByteSource> stored);

/// Bytes at hand as a source; they must outlive it.
class MemoryBytes final : public ByteSource {
 public:
  MemoryBytes(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  std::size_t read(std::span<char> into) override;
  const std::string& name() const override { return name_; }
  std::uint64_t consumed() const override { return position_; }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
  std::string name_;
  std::size_t position_ = 0;
};

/// A source whose first bytes can be looked at before they are read.
class PeekedBytes final : public ByteSource {
 public:
  /// Reads `bytes` at once, or all there are.
  PeekedBytes(std::unique_ptr<ByteSource> source, std::size_t bytes);
  std::string_view first() const { return first_; }

  std::size_t read(std::span<char> into) override;
  const std::string& name() const override { return source_->name(); }
  std::uint64_t consumed() const override { return source_->consumed(); }
  std::optional<std::uint64_t> size() const override { return source_->size(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string first_;
  std::size_t position_ = 0;
};

}  // namespace tain
