#include "model_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

namespace fs = std::filesystem;

// The manifest first: a folder without it is no model, whatever else is still there.
constexpr std::array<std::string_view, 10> file_names{
    "manifest.json", "checkpoint.bin",  "checkpoint.draws", "topics.npy",  "dual.npy",
    "draws.npy",     "draw_shares.npy", "vocab.txt",        "history.csv", "README.md"};

/// What a killed process left of a file it was writing: ".topics.npy.1234.0.tmp".
bool is_leftover(const std::string& name) {
  return name.ends_with(".tmp") && std::ranges::any_of(file_names, [&](std::string_view file) {
           return name.starts_with(fmt::format(".{}.", file));
         });
}

bool holds_nothing(const fs::path& folder) {
  return std::ranges::all_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return is_leftover(entry.path().filename().string());
  });
}

bool is_model(const fs::path& folder) {
  return fs::exists(folder / "checkpoint.bin") ||
         (fs::exists(folder / "manifest.json") && fs::exists(folder / "topics.npy"));
}

void require_free(const fs::path& folder, Continuation continuation) {
  if (!fs::is_directory(folder)) {
    fail(Fault::cannot_create, folder.string(), "is no folder", "give the name of a folder");
  }
  if (holds_nothing(folder)) {
    return;
  }
  if (!is_model(folder)) {
    fail(Fault::cannot_create, folder.string(), "exists and is no model",
         "give the name of a new folder");
  }
  if (continuation == Continuation::fresh) {
    fail(Fault::cannot_create, folder.string(),
         fs::exists(folder / "manifest.json") ? "holds a model" : "holds a stopped training",
         "give --resume to go on with it or --force to start anew");
  }
}

}  // namespace

ModelFolder::ModelFolder(fs::path folder, Continuation continuation)
    : folder_(folder.has_filename() ? std::move(folder) : folder.parent_path()) {
  if (!fs::exists(folder_)) {
    if (continuation == Continuation::resume) {
      fail(Fault::no_input, folder_.string(), "there is no training to resume",
           "leave out --resume");
    }
    std::error_code error;
    if (!fs::create_directory(folder_, error)) {
      fail(Fault::cannot_create, folder_.string(), error ? error.message() : std::string("exists"),
           "choose another output");
    }
    made_ = true;
  }
  try {
    require_free(folder_,
                 continuation == Continuation::resume ? Continuation::replace : continuation);
    lock();
    remove_leftovers();
  } catch (...) {
    if (lock_ >= 0) {
      ::close(lock_);
    }
    throw;
  }
  if (continuation == Continuation::resume && !holds_nothing(folder_) && !has_checkpoint()) {
    ::close(lock_);
    fail(Fault::no_input, checkpoint().string(), "is missing, the model cannot be trained on",
         "give --force to start anew");
  }
}

ModelFolder::~ModelFolder() {
  if (lock_ >= 0) {
    ::close(lock_);
  }
  if (made_) {
    ::rmdir(folder_.c_str());  // fails, as it should, where something was written
  }
}

/// The folder itself is locked: no file remains, and the lock goes with the process.
void ModelFolder::lock() {
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) {
    fail(Fault::cannot_create, folder_.string(), std::strerror(errno),
         "check the folder's permissions");
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    fail(Fault::cannot_create, folder_.string(), "another process trains in it",
         "wait for it or choose another output");
  }
}

void ModelFolder::remove_leftovers() const {
  std::vector<fs::path> leftovers;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    if (is_leftover(entry.path().filename().string())) {
      leftovers.push_back(entry.path());
    }
  }
  std::error_code ignored;  // they are in nobody's way
  for (const fs::path& leftover : leftovers) {
    fs::remove(leftover, ignored);
  }
}

bool ModelFolder::has_checkpoint() const { return fs::exists(checkpoint()); }

void ModelFolder::clear() {
  for (const std::string_view name : file_names) {
    std::error_code error;
    fs::remove(folder_ / name, error);
    if (error) {
      fail(Fault::io, (folder_ / name).string(), error.message(), "remove it by hand");
    }
  }
}

}  // namespace tain::cli
