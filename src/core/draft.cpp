#include "core/draft.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <string>

#include "core/archive.hpp"
#include "core/descriptor.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// Some file systems take no longer names than 143 bytes.
constexpr std::size_t longest_shown = 100;

}  // namespace

fs::path hidden_beside(const fs::path& place, std::string_view ending) {
  const std::string name = place.filename().string();
  return place.parent_path() / (name.size() <= longest_shown
                                    ? fmt::format(".{}{}", name, ending)
                                    : fmt::format(".{:016x}{}", fingerprint(name), ending));
}

Draft::Draft(fs::path place)
    : place_(std::move(place)),
      folder_(hidden_beside(place_, draft_ending)),
      path_(folder_ / place_.filename()),
      lock_(lock()) {
  remove_file();
  // What nobody would want to learn after the work: a name or a path that is too long.
  for (const fs::path& path : {place_, path_}) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0 && errno != ENOENT) {
      const int error = errno;
      ::rmdir(folder_.c_str());
      fail_errno(Fault::cannot_create, place_, error);
    }
  }
}

Draft::~Draft() {
  if (!moved_) {
    remove_file();
    ::rmdir(folder_.c_str());
  }
}

FolderLock Draft::lock() const {
  try {
    std::optional<FolderLock> lock = FolderLock::take(folder_);
    if (!lock) {
      fail(Fault::cannot_create, place_.string(), "another process is writing it",
           "wait for it or choose another name");
    }
    if (!lock->made() && !lock->own()) {
      fail(Fault::cannot_create, place_.string(),
           fmt::format("{}, of another user, is in the way", folder_.string()), "remove it");
    }
    return std::move(*lock);
  } catch (const Error& error) {
    throw error.at(place_.string());
  }
}

void Draft::remove_file() const { ::unlink(path_.c_str()); }

void Draft::move_to_place() {
  if (::rename(path_.c_str(), place_.c_str()) != 0) {
    fail_errno(Fault::cannot_create, place_, errno);
  }
  moved_ = true;
  ::rmdir(folder_.c_str());
}

}  // namespace tain
