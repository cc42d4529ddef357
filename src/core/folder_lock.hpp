// A folder in which one process at a time works.
//
// Laws: the lock goes with its process, whatever ends it, and is no file. On file systems without
//   locks everybody gets it.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace tain {

class FolderLock {
 public:
  FolderLock() = default;
  /// Makes the folder if it is not there. Nothing if somebody else has its lock, in this process or
  /// another. Throws Error (cannot_create).
  static std::optional<FolderLock> take(const std::filesystem::path& folder);
  ~FolderLock() { release(); }
  FolderLock(FolderLock&& other) noexcept
      : file_(std::exchange(other.file_, -1)), made_(other.made_) {}
  FolderLock& operator=(FolderLock&&) = delete;
  void release();

  /// Was the folder made for the lock?
  bool made() const { return made_; }
  /// Does the folder belong to the user of this process?
  bool own() const;

 private:
  int file_ = -1;
  bool made_ = false;
};

}  // namespace tain
