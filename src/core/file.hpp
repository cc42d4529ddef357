// Files: written whole or not at all, read with errors that name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "tain/core/error.hpp"
#include "tain/core/overwrite.hpp"

namespace tain {

/// Calls write(path of a draft), syncs the draft and moves it to `path`, or to where `path` leads if
/// it is a link. If write throws, the draft is removed and `path` is untouched. One process at a
/// time writes a file (core/draft.hpp). Faults: cannot_create, io.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(const std::filesystem::path&)>& write);
/// The same for bytes at hand.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);
/// Removes what killed processes left beside `path` of writing it, unless somebody is writing it.
void remove_leftovers(const std::filesystem::path& path);
/// Where a link leads in the end, which need not be there; what is no link leads to itself. Throws
/// Error (cannot_create) for links in a circle.
std::filesystem::path link_target(const std::filesystem::path& path);
/// Wait until a file, or the names in a folder, are on disk. Throw Error (io).
void sync_file(const std::filesystem::path& file);
void sync_folder(const std::filesystem::path& folder);
/// Where messages about an output are: the option that names it, and the path.
Phrase output_place(const Field& option, const std::filesystem::path& path);
/// Throws cannot_create unless the folder that `path` will stand in is there and writable: nobody
/// makes the folders above an output, since a name that was mistyped would make them too.
void require_parent(const Field& option, const std::filesystem::path& path);
/// The same, and unless a file can be written there: it does not exist or `overwrite` is given ("...
/// exists; give --force to overwrite it"), its name is not too long, nobody else is writing it.
void require_creatable(const Field& option, const std::filesystem::path& path, Overwrite overwrite);
/// The folder that a name stands for: without a slash at its end.
std::filesystem::path folder_path(std::filesystem::path folder);
/// Of work that was stopped and left nothing: throws Error (interrupted).
[[noreturn]] void fail_stopped(const std::filesystem::path& output);
/// Of a file that is read whole, of one that is a record (a manifest, a problem, a study), and of
/// what is no plain file.
inline constexpr std::uint64_t most_file_bytes = std::uint64_t{4} << 30,
                               most_record_bytes = std::uint64_t{32} << 20,
                               most_piped_bytes = std::uint64_t{1} << 30;
/// Whole file as bytes; faults no_input, io, data (it is larger).
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t most_bytes = most_file_bytes);

/// A file of fixed size mapped into memory, for reading or as a place to write by position. Disk
/// space is reserved on creation, so that a full disk is an error then and not a crash later. A
/// file that somebody makes shorter meanwhile, or whose disk fails, reads as zeros: see
/// require_whole().
class MappedFile {
 public:
  MappedFile() = default;
  static MappedFile create(const std::filesystem::path& path, std::size_t bytes);
  static MappedFile open_read_write(const std::filesystem::path& path);
  static MappedFile open_read_only(const std::filesystem::path& path);
  /// Memory with no file behind it.
  static MappedFile anonymous(std::size_t bytes);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<std::byte> bytes() const { return {data_, size_}; }
  /// Throws Error (io) if some of what was read since it was opened was not there. To be asked
  /// after reading and before what was read is believed.
  void require_whole() const;
  /// Waits until everything written is on disk. Throws Error (io), as require_whole() does too.
  void sync() const;

 private:
  struct Pages;
  class Watch;
  MappedFile(std::byte* data, std::size_t size, const std::filesystem::path& path);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  Pages* pages_ = nullptr;  // none where no file is behind it
};

/// FNV-1a of the file's bytes, as 16 hexadecimal digits. Memory: a buffer.
std::string file_hash(const std::filesystem::path& path);

}  // namespace tain
