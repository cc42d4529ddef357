#include "core/folder_lock.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include "core/descriptor.hpp"

namespace tain {
namespace {

bool same_folder(int file, const std::filesystem::path& path) {
  struct stat opened{}, there{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

}  // namespace

std::optional<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  // Whoever had the lock may remove the folder between any two of these calls: then again. A link
  // to nothing is there and cannot be opened, however often.
  constexpr int most_tries = 100;
  for (int tries = 1;; ++tries) {
    FolderLock lock;
    lock.made_ = ::mkdir(folder.c_str(), 0777) == 0;
    if (!lock.made_ && errno != EEXIST) {
      fail_errno(Fault::cannot_create, folder, errno);
    }
    lock.file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock.file_ < 0 && (errno != ENOENT || tries == most_tries)) {
      fail_errno(Fault::cannot_create, folder, errno);
    }
    if (lock.file_ < 0) {
      continue;
    }
    if (::flock(lock.file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return std::nullopt;
    }
    if (same_folder(lock.file_, folder)) {
      return lock;
    }
  }
}

void FolderLock::release() {
  if (file_ >= 0) {
    ::close(std::exchange(file_, -1));
  }
}

bool FolderLock::own() const {
  struct stat status{};
  return ::fstat(file_, &status) == 0 && status.st_uid == ::geteuid();
}

}  // namespace tain
