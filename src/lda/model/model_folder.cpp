#include "lda/model/model_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/file.hpp"
#include "lda/model/model_data.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

// The manifest first: a folder without it is no model, whatever else is still there.
constexpr std::array<std::string_view, 10> file_names{
    "manifest.json", "checkpoint.bin",  "checkpoint.draws", "topics.npy",  "dual.npy",
    "draws.npy",     "draw_shares.npy", "vocab.txt",        "history.csv", "README.md"};

/// What ranks wrote of a checkpoint: "checkpoint.12.3.part".
bool is_part(std::string_view name) {
  return name.starts_with(fmt::format("{}.", checkpoint_prefix)) && name.ends_with(".part");
}

/// What a killed process left of a file it was writing: ".topics.npy.1234.0.tmp".
bool is_leftover(const std::string& name) {
  return name.ends_with(".tmp") && (name.starts_with(fmt::format(".{}.", checkpoint_prefix)) ||
                                    std::ranges::any_of(file_names, [&](std::string_view file) {
                                      return name.starts_with(fmt::format(".{}.", file));
                                    }));
}

bool holds_nothing(const fs::path& folder) {
  // Parts without the checkpoint that lists them are those of a run that was killed at its start.
  const bool started = fs::exists(model_checkpoint(folder));
  return std::ranges::all_of(fs::directory_iterator(folder), [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return is_leftover(name) || (!started && is_part(name));
  });
}

bool is_model(const fs::path& folder) {
  return fs::exists(folder / "checkpoint.bin") ||
         (fs::exists(folder / "manifest.json") && fs::exists(folder / "topics.npy"));
}

const Field output{"output"};

/// `remedy`: what to do about a model that is in the way.
void require_free(const fs::path& folder, Continuation continuation, const Phrase& remedy) {
  const Phrase where = output_place(output, folder);
  if (!fs::is_directory(folder)) {
    fail(Fault::cannot_create, where, "is no folder", "give the name of a folder");
  }
  if (holds_nothing(folder)) {
    return;
  }
  if (!is_model(folder)) {
    fail(Fault::cannot_create, where, "exists and is no model", "give the name of a new folder");
  }
  if (continuation == Continuation::fresh) {
    fail(Fault::cannot_create, where,
         fs::exists(folder / "manifest.json") ? "holds a model" : "holds a stopped training",
         remedy);
  }
}

}  // namespace

fs::path model_checkpoint(const fs::path& folder) { return folder / "checkpoint.bin"; }

ModelFolder::ModelFolder(fs::path folder, Continuation continuation)
    : ModelFolder(std::move(folder), continuation,
                  Phrase("give ", Field{"resume", "true"}, " to go on with it or ",
                         Field{"overwrite", "true"}, " to start anew")) {}

ModelFolder::ModelFolder(fs::path folder, Overwrite overwrite)
    : ModelFolder(std::move(folder),
                  overwrite == Overwrite::yes ? Continuation::replace : Continuation::fresh,
                  Phrase("give ", Field{"overwrite", "true"}, " to replace it")) {}

ModelFolder::ModelFolder(fs::path folder, Continuation continuation, const Phrase& remedy)
    : folder_(folder_path(std::move(folder))) {
  if (!fs::exists(folder_)) {
    if (continuation == Continuation::resume) {
      fail(Fault::no_input, output_place(output, folder_), "there is no training to resume",
           Phrase("leave out ", Field{"resume"}));
    }
    require_parent(output, folder_);
    std::error_code error;
    if (!fs::create_directory(folder_, error)) {
      fail(Fault::cannot_create, output_place(output, folder_),
           error ? error.message() : std::string("exists"), "choose another");
    }
    made_ = true;
  }
  try {
    require_free(folder_,
                 continuation == Continuation::resume ? Continuation::replace : continuation,
                 remedy);
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
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
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
    fail(Fault::cannot_create, output_place(output, folder_), std::strerror(errno),
         "check the folder's permissions");
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    fail(Fault::cannot_create, output_place(output, folder_), "another process trains in it",
         "wait for it or choose another");
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
  // The checkpoint before what it lists.
  std::vector<std::string> names(file_names.begin(), file_names.end());
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    if (std::string name = entry.path().filename().string(); is_part(name)) {
      names.push_back(std::move(name));
    }
  }
  for (const std::string& name : names) {
    std::error_code error;
    fs::remove(folder_ / name, error);
    if (error) {
      fail(Fault::io, (folder_ / name).string(), error.message(), "remove it by hand");
    }
  }
}

}  // namespace tain
