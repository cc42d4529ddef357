// The folder in which a model is trained: who may write there, and what is there to go on with.
//
// Laws: two processes never train in one folder, but for the ranks of one run, of which rank 0 has
//   this. The model that is there stays until a new one takes its place, all files at once, and the
//   checkpoint until there is another. Nothing but files of a model is ever removed.
#pragma once

#include <filesystem>

#include "core/continuation.hpp"
#include "core/output_folder.hpp"
#include "tain/core/error.hpp"
#include "tain/core/overwrite.hpp"

namespace tain {

/// The checkpoint in it.
std::filesystem::path model_checkpoint(const std::filesystem::path& folder);

class ModelFolder : public OutputFolder {
 public:
  /// Of a training. Faults, about the output: cannot_create when a model or something else is in
  /// the way or the folder above is not there, no_input when there is nothing to resume.
  ModelFolder(const std::filesystem::path& folder, Continuation continuation);
  /// Of a model that is to be saved. Faults: cannot_create.
  ModelFolder(const std::filesystem::path& folder, Overwrite overwrite);

  std::filesystem::path checkpoint() const { return model_checkpoint(path()); }
  bool has_checkpoint() const;
  /// That of a training which is no more.
  void remove_checkpoint();

 private:
  ModelFolder(const std::filesystem::path& folder, Continuation continuation, const Phrase& remedy);
};

}  // namespace tain
