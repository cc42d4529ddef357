// A file on its way: written in a folder of its own beside its place, moved there when it is whole.
//
// Definition: the draft of NAME is `.NAME.tain-new/NAME` beside it; where that would be too long a
//   name of a folder, a fingerprint stands for NAME.
// Laws: a file has one draft at a time; who wants another is refused. What a killed process left is
//   removed by the next draft of the same file, and nothing else ever is.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/folder_lock.hpp"

namespace tain {

/// The end of names of folders that hold drafts; they begin with a dot.
inline constexpr std::string_view draft_ending = ".tain-new";

/// A hidden name beside a place, that nothing else has: ".NAME" and the ending; of a long NAME its
/// fingerprint.
std::filesystem::path hidden_beside(const std::filesystem::path& place, std::string_view ending);

class Draft {
 public:
  /// `place`: no link. Throws Error (cannot_create) if the file could not be written there.
  explicit Draft(std::filesystem::path place);
  /// Removes what was not moved.
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// To its place: after it the new file is there, before it the old one. Throws Error
  /// (cannot_create).
  void move_to_place();

 private:
  FolderLock lock() const;
  void remove_file() const;

  std::filesystem::path place_, folder_, path_;
  FolderLock lock_;
  bool moved_ = false;
};

}  // namespace tain
