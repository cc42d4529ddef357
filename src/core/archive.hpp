// Saving and restoring state with one function for both directions: what is written is what is
// read.
//
//   void archive(Archive& a) { a.field(count_); a.field(sum_); }
//
// Definition: fields one after the other, as they are in memory, and a checksum at the end. An
//   archive is a string (for state that is passed on: FNV-1a) or a file (for state of any size:
//   checksum.hpp).
// Laws: reading past the end, a size that is not there and a wrong checksum are Error (data); so is
//   what an archive() finds impossible: bytes that anybody made never become a state that no run
//   can have, nor more memory than they take. A
//   file is under its name whole or not at all.
// Memory: a string is held; a file goes through a buffer of `file_buffer` bytes, whatever its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checksum.hpp"

namespace tain {

/// What tells one file from another.
struct ArchiveFile {
  std::uint64_t bytes = 0, checksum = 0;
  bool operator==(const ArchiveFile&) const = default;
};
class Archive {
 public:
  static constexpr std::size_t file_buffer = std::size_t{1} << 20;

  /// Writes to an empty string.
  Archive() = default;
  /// Reads `bytes` of `name` (for messages), after checking their checksum.
  Archive(std::string bytes, std::string name);
  /// Reads a file that write_archive wrote, after checking its checksum: one pass over all of it.
  /// Throws Error: no_input, io, data.
  explicit Archive(const std::filesystem::path& file);

  bool reading() const { return reading_; }
  void field(std::uint64_t& value) { raw(&value, sizeof value); }
  void field(double& value) { raw(&value, sizeof value); }
  void field(std::span<double> values) { raw(values.data(), values.size_bytes()); }
  void field(std::span<float> values) { raw(values.data(), values.size_bytes()); }
  void field(std::span<std::uint16_t> values) { raw(values.data(), values.size_bytes()); }
  /// Size and elements; reading resizes to at most what is left in the archive.
  void field(std::vector<double>& values);
  void field(std::string& text);
  /// Reading: throws Error (data), "<name>: <problem>", where what was read is impossible: a right
  /// checksum says that the bytes are those that were written, not who wrote them.
  void require(bool possible, std::string_view problem) const;
  /// Reading: passes over bytes that others need. Writing: only over none.
  void skip(std::uint64_t bytes);

  /// Of the file that is read.
  ArchiveFile file() const;
  /// The bytes written, with their checksum; ends writing to a string.
  std::string finish();
  /// Throws unless everything was read.
  void expect_end() const;
  /// Bytes that are still to be read.
  std::uint64_t left() const { return size_ - position_; }

 private:
  friend ArchiveFile write_archive(const std::filesystem::path& file,
                                   const std::function<void(Archive&)>& write);
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  void raw(void* data, std::size_t bytes);
  void write(const void* data, std::size_t bytes);
  void read(void* data, std::size_t bytes);
  void check_file(const std::filesystem::path& file);
  [[noreturn]] void damaged(std::string_view problem) const;

  bool reading_ = false;
  std::string bytes_, name_;
  File file_{nullptr, &std::fclose};
  Checksum checksum_;                      // of the file
  std::uint64_t size_ = 0, position_ = 0;  // of what is read, the checksum not included
};

/// Writes what `write` gives to its archive: to a temporary file that is synced, then renamed.
/// Throws Error (cannot_create, io).
ArchiveFile write_archive(const std::filesystem::path& file,
                          const std::function<void(Archive&)>& write);

/// FNV-1a, 64 bits; of what follows bytes whose fingerprint is `before`.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325u);

}  // namespace tain
