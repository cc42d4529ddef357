#include "lda/model/model_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/file.hpp"
#include "lda/model/model_data.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

// The manifest first: a folder without it is no model, whatever else is still there.
constexpr std::array<std::string_view, 8> model_files{
    "manifest.json",   "topics.npy", "dual.npy",    "draws.npy",
    "draw_shares.npy", "vocab.txt",  "history.csv", "README.md"};

const Field output{"output"};

/// What ranks wrote of a checkpoint: "checkpoint.12.3.part".
bool is_part(const fs::path& name) {
  return name.string().starts_with(fmt::format("{}.", checkpoint_prefix)) &&
         name.extension() == ".part";
}

bool is_model(const fs::path& folder) {
  return fs::exists(model_checkpoint(folder)) ||
         (fs::exists(folder / "manifest.json") && fs::exists(folder / "topics.npy"));
}

/// `remedy`: what to do about a model that is in the way.
void require_free(const OutputFolder& folder, Continuation continuation, const Phrase& remedy) {
  const Phrase where = output_place(output, folder.path());
  // Parts without the checkpoint that lists them are those of a run that was killed at its start.
  const bool started = fs::exists(model_checkpoint(folder.path()));
  if (!started && std::ranges::all_of(folder.names(), is_part)) {
    return;
  }
  if (!is_model(folder.path())) {
    fail(Fault::cannot_create, where, "exists and is no model", "give the name of a new folder");
  }
  if (continuation == Continuation::fresh) {
    fail(Fault::cannot_create, where,
         fs::exists(folder.path() / "manifest.json") ? "holds a model" : "holds a stopped training",
         remedy);
  }
  if (continuation == Continuation::resume && !started) {
    fail(Fault::no_input, model_checkpoint(folder.path()).string(),
         "is missing, the model cannot be trained on",
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
}

/// To be resumed, a folder must be there: it is not made for that.
const fs::path& there(const fs::path& folder, Continuation continuation) {
  if (continuation == Continuation::resume && !fs::exists(folder)) {
    fail(Fault::no_input, output_place(output, folder_path(folder)),
         "there is no training to resume", Phrase("leave out ", Field{"resume"}));
  }
  return folder;
}

}  // namespace

fs::path model_checkpoint(const fs::path& folder) { return folder / "checkpoint.bin"; }

ModelFolder::ModelFolder(const fs::path& folder, Continuation continuation)
    : ModelFolder(folder, continuation,
                  Phrase("give ", Field{"resume", "true"}, " to go on with it or ",
                         Field{"overwrite", "true"}, " to start anew")) {}

ModelFolder::ModelFolder(const fs::path& folder, Overwrite overwrite)
    : ModelFolder(folder, overwrite == Overwrite::yes ? Continuation::replace : Continuation::fresh,
                  Phrase("give ", Field{"overwrite", "true"}, " to replace it")) {}

ModelFolder::ModelFolder(const fs::path& folder, Continuation continuation, const Phrase& remedy)
    : OutputFolder(output, there(folder, continuation), model_files) {
  require_free(*this, continuation, remedy);
}

bool ModelFolder::has_checkpoint() const { return fs::exists(checkpoint()); }

void ModelFolder::remove_checkpoint() {
  // The checkpoint before what it lists.
  std::vector<fs::path> names{"checkpoint.bin", "checkpoint.draws"};
  std::ranges::copy_if(this->names(), std::back_inserter(names), is_part);
  for (const fs::path& name : names) {
    std::error_code error;
    fs::remove(path() / name, error);
    if (error) {
      fail(Fault::io, (path() / name).string(), error.message(), "remove it by hand");
    }
  }
}

}  // namespace tain
