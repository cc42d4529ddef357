#include "core/output_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <vector>

#include "core/descriptor.hpp"
#include "core/draft.hpp"
#include "core/failpoint.hpp"
#include "core/file.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view new_name = ".tain-new", scratch_name = ".tain-scratch",
                           old_name = ".tain-old", ready_name = ".tain-ready";
/// In the top folder of many file systems.
constexpr std::string_view found_name = "lost+found";

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) {
    fail_errno(Fault::cannot_create, folder, error.value());
  }
}

/// Does nothing where there is no such file.
void move_file(const fs::path& from, const fs::path& to, const fs::path& name) {
  if (::rename((from / name).c_str(), (to / name).c_str()) != 0 && errno != ENOENT) {
    fail_errno(Fault::io, to / name, errno);
  }
}

std::vector<fs::path> names_in(const fs::path& folder) {
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) {
    fail(Fault::io, folder.string(), error.message(), "remove it by hand");
  }
}

/// What killed processes left of files that they wrote by themselves.
void remove_drafts(const fs::path& folder) {
  for (const fs::path& name : names_in(folder)) {
    const std::string text = name.string();
    if (text.starts_with('.') && text.ends_with(draft_ending) && text != new_name) {
      const std::optional<FolderLock> lock = FolderLock::take(folder / name);
      if (lock) {
        remove_folder(folder / name);
      }
    }
  }
}

FolderLock lock_folder(const Field& option, const fs::path& named, const fs::path& folder) {
  const Phrase where = output_place(option, named);
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    require_parent(option, named);
  } else if (!fs::is_directory(status)) {
    fail(Fault::cannot_create, where, "is no folder", "give the name of a folder");
  }
  try {
    std::optional<FolderLock> lock = FolderLock::take(folder);
    if (!lock) {
      fail(Fault::cannot_create, where, "another process writes in it",
           "wait for it or choose another");
    }
    return std::move(*lock);
  } catch (const Error& failure) {
    throw failure.at(where);
  }
}

}  // namespace

OutputFolder::OutputFolder(const Field& option, const fs::path& folder, FolderFiles files)
    : named_(folder_path(folder)),
      folder_(link_target(named_)),
      files_(files),
      lock_(lock_folder(option, named_, folder_)) {
  if (!lock_.made()) {
    settle();
    remove_folder(folder_ / new_name);
    remove_folder(folder_ / scratch_name);
    remove_drafts(folder_);
  }
  try {
    ::rmdir(draft().c_str());  // nobody wants to learn after the work that it cannot be made
  } catch (const Error& error) {
    throw error.at(output_place(option, named_));
  }
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;  // it is in nobody's way
  fs::remove_all(folder_ / new_name, ignored);
  fs::remove_all(folder_ / scratch_name, ignored);
  if (lock_.made()) {
    ::rmdir(folder_.c_str());  // fails, as it should, where something was written
  }
}

std::vector<fs::path> OutputFolder::names() const {
  std::vector<fs::path> names = names_in(folder_);
  std::erase_if(names, [](const fs::path& name) {
    return name == new_name || name == scratch_name || name == found_name;
  });
  return names;
}

fs::path OutputFolder::draft() const {
  fs::path draft = folder_ / new_name;
  make_folder(draft);
  return draft;
}

fs::path OutputFolder::scratch() const { return folder_ / scratch_name; }

void OutputFolder::replace_files() {
  const fs::path made = draft(), old = folder_ / old_name;
  std::vector<fs::path> names(files_.begin(), files_.end());
  for (fs::path& name : names_in(made)) {
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  sync_folder(made);
  make_folder(old);
  try {
    for (const fs::path& name : names) {
      move_file(folder_, old, name);
      failpoint("folder/set-aside");
    }
    sync_folder(folder_);
    if (::rename(made.c_str(), (folder_ / ready_name).c_str()) != 0) {
      fail_errno(Fault::io, folder_, errno);
    }
  } catch (...) {
    take_back();
    throw;
  }
  failpoint("folder/ready");
  finish();
}

/// What an earlier process began.
void OutputFolder::settle() const {
  std::error_code error;
  if (fs::exists(folder_ / ready_name, error)) {
    finish();
  } else if (fs::exists(folder_ / old_name, error)) {
    take_back();
  }
}

void OutputFolder::take_back() const {
  const fs::path old = folder_ / old_name;
  std::vector<fs::path> names = names_in(old);
  std::ranges::stable_partition(names, [&](const fs::path& name) { return name != files_[0]; });
  for (const fs::path& name : names) {
    move_file(old, folder_, name);
    failpoint("folder/taken-back");
  }
  sync_folder(folder_);
  remove_folder(old);
}

void OutputFolder::finish() const {
  const fs::path ready = folder_ / ready_name;
  for (const fs::path& name : names_in(ready)) {
    if (name != files_[0]) {
      move_file(ready, folder_, name);
      failpoint("folder/placed");
    }
  }
  sync_folder(folder_);
  move_file(ready, folder_, files_[0]);
  sync_folder(folder_);
  failpoint("folder/complete");
  remove_folder(folder_ / old_name);
  remove_folder(ready);
}

bool was_being_replaced(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / old_name, ignored) || fs::exists(folder / ready_name, ignored);
}

}  // namespace tain
