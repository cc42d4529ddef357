// The folder in which a model is trained: who may write there, and what is there to go on with.
//
// Laws: two processes never train in one folder, but for the ranks of one run, of which rank 0 has
//   this. Nothing but files of a model is ever removed, and those only by clear(). A folder that
//   this made and nothing was written to goes again.
#pragma once

#include <filesystem>

#include "core/continuation.hpp"
#include "tain/core/error.hpp"
#include "tain/core/overwrite.hpp"

namespace tain {

/// The checkpoint in it.
std::filesystem::path model_checkpoint(const std::filesystem::path& folder);

class ModelFolder {
 public:
  /// Of a training. Faults, about the output: cannot_create when a model or something else is in
  /// the way or the folder above is not there, no_input when there is nothing to resume.
  ModelFolder(std::filesystem::path folder, Continuation continuation);
  /// Of a model that is to be saved. Faults: cannot_create.
  ModelFolder(std::filesystem::path folder, Overwrite overwrite);
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path checkpoint() const { return model_checkpoint(folder_); }
  bool has_checkpoint() const;
  /// Removes the model that was there.
  void clear();

 private:
  ModelFolder(std::filesystem::path folder, Continuation continuation, const Phrase& remedy);
  void lock();
  void remove_leftovers() const;

  std::filesystem::path folder_;
  int lock_ = -1;
  bool made_ = false;
};

}  // namespace tain
