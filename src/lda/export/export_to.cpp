// A model for other programs: Model::export_to.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/apart.hpp"
#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/output_folder.hpp"
#include "lda/export/model_export.hpp"
#include "lda/model/model_state.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// Options that would do nothing are refused.
void refuse_idle(const ModelExportPlan& plan, ModelFormat format) {
  if (documents_of(format) == Documents::needed) {
    return;
  }
  for (const auto& [name, given] : {std::pair("corpus", plan.corpus.has_value()),
                                    std::pair("sweeps", plan.sweeps.has_value())}) {
    if (given) {
      fail(Fault::config, Field{name}, "this format says nothing of documents", "leave it out");
    }
  }
}

std::optional<Corpus> required_corpus(const ModelExportPlan& plan, const ModelData& model,
                                      ModelFormat format) {
  if (documents_of(format) == Documents::none) {
    return std::nullopt;
  }
  std::optional<Corpus> corpus = plan.corpus ? plan.corpus : recorded_corpus(model);
  if (!corpus) {
    fail(Fault::config, Field{"corpus"},
         fmt::format("the format needs documents, and those trained on are not in {} any more",
                     model.facts().corpus_folder),
         Phrase("give ", Field{"corpus", "DIR"}));
  }
  return corpus;
}

/// Files of a format as those of a folder: the last that is written is the key.
std::vector<std::string_view> folder_files(ModelFormat format) {
  std::vector<std::string_view> files = export_files(format);
  std::ranges::rotate(files, files.end() - 1);
  return files;
}

}  // namespace

void ModelExportPlan::describe(Fields& fields) {
  describe_sweeps(fields, sweeps);
  fields.field("seed", seed);
}

ExportedModel Model::export_to(const fs::path& folder, std::string_view name,
                               const ModelExportPlan& plan) const {
  const ModelFormat format = model_format(name);
  refuse_idle(plan, format);
  require_in_range(plan);
  InferencePlan inference;
  inference.sweeps = static_cast<std::uint32_t>(plan.sweeps.value_or(inference.sweeps));
  inference.seed = plan.seed.value_or(inference.seed);
  const ModelData& model = state_->data();
  const std::optional<Corpus> corpus = required_corpus(plan, model, format);
  const std::vector<NamedPath> inputs{{"the model", this->folder()},
                                      {"the corpus", corpus ? corpus->folder() : fs::path()}};
  require_apart(NamedPath{Field{"output"}, folder}, inputs);
  const std::vector<std::string_view> files = folder_files(format);
  OutputFolder place(Field{"output"}, folder, files);
  for (const std::string_view file : export_files(format)) {
    require_creatable(Field{"output"}, place.path() / file,
                      plan.overwrite ? Overwrite::yes : Overwrite::no);
  }
  Threads threads(plan.threads);
  const std::optional<InferenceReport> report =
      export_model({model, format, place.draft(), inference}, corpus ? &*corpus : nullptr, threads,
                   watch_or_go_on(plan.progress));
  if (!report) {
    fail_stopped(folder);
  }
  place.replace_files();
  ExportedModel exported{.files = {},
                         .corpus = corpus ? corpus->name() : std::string(),
                         .documents = report->documents,
                         .unknown_tokens = report->unknown_tokens};
  for (const std::string_view file : export_files(format)) {
    exported.files.push_back(folder / file);
  }
  return exported;
}

}  // namespace tain
