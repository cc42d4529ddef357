// A folder whose files belong together, as those of a corpus or a model do: made out of sight, then
// put in their places.
//
// Definition: files are made in `.tain-new` with the help of those in `.tain-scratch`. When they are whole, those that they replace go to
//   `.tain-old`; `.tain-new` becomes `.tain-ready`, from now on the new files are the ones that
//   count; they take their places, and `.tain-old` goes. The key, the first of the files, is that
//   without which a folder is none of its kind: it leaves first and comes last.
// Laws: one process at a time has the folder. Whatever ends a process or fails, the old files are
//   whole, or the new ones are; the next OutputFolder puts them in their places. Files of others
//   are never touched, and places where something is mounted and the working directory are folders
//   like others. A folder that was made and is left empty goes again.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/folder_lock.hpp"
#include "tain/core/error.hpp"

namespace tain {

/// Files of a folder of some kind, the key first; they outlive what is made of them.
using FolderFiles = std::span<const std::string_view>;

class OutputFolder {
 public:
  /// Makes the folder if it is not there. `option` names it in messages. Throws Error
  /// (cannot_create).
  OutputFolder(const Field& option, const std::filesystem::path& folder, FolderFiles files);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Without a slash at its end.
  const std::filesystem::path& path() const { return folder_; }
  /// Names of what is there, but for what file systems keep in their top folder; in order.
  std::vector<std::filesystem::path> names() const;
  bool empty() const { return names().empty(); }
  /// Where files are made; goes with the object.
  std::filesystem::path draft() const;
  /// Where a folder for temporary files may be made; goes with the object.
  std::filesystem::path scratch() const;
  /// Puts the files made in their places, in which there is none of `files` but those. They must be
  /// on disk.
  void replace_files();

 private:
  void settle() const;
  void take_back() const;
  void finish() const;

  std::filesystem::path named_, folder_;  // as it was named; where the link leads
  FolderFiles files_;
  FolderLock lock_;
};

/// Were the files of a folder being replaced when a process was killed? Then it may seem to hold
/// none; the next OutputFolder mends it.
bool was_being_replaced(const std::filesystem::path& folder);

}  // namespace tain
