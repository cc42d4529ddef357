// The folder in which a model is trained: who may write there, and what is there to go on with.
//
// Laws: two processes never train in one folder, but for the ranks of one run, of which rank 0 has
//   this. Nothing but files of a model is ever removed, and those only by clear(). A folder that
//   this made and nothing was written to goes again.
#pragma once

#include <filesystem>

#include "core/continuation.hpp"

namespace tain {

/// The folder that a name stands for: without a slash at its end.
std::filesystem::path model_path(std::filesystem::path folder);
/// The checkpoint in it.
std::filesystem::path model_checkpoint(const std::filesystem::path& folder);

class ModelFolder {
 public:
  /// Faults: cannot_create when a model or something else is in the way, no_input when there is
  /// nothing to resume.
  ModelFolder(std::filesystem::path folder, Continuation continuation);
  ~ModelFolder();
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path checkpoint() const { return model_checkpoint(folder_); }
  bool has_checkpoint() const;
  /// Removes the model that was there.
  void clear();

 private:
  void lock();
  void remove_leftovers() const;

  std::filesystem::path folder_;
  int lock_ = -1;
  bool made_ = false;
};

}  // namespace tain
