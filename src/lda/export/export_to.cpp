// A model for other programs: Model::export_to.
#include <fmt/format.h>

#include "core/fields.hpp"
#include "core/file.hpp"
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

/// The folder, and that nothing in it is overwritten unless asked to.
void prepare_folder(const fs::path& folder, ModelFormat format, Overwrite overwrite) {
  const Field output{"output"};
  std::error_code error;
  if (!fs::exists(folder, error)) {
    require_parent(output, folder);
    fs::create_directory(folder, error);
  }
  if (error || !fs::is_directory(folder, error)) {
    fail(Fault::cannot_create, output_place(output, folder),
         error ? error.message() : std::string("is no folder"), "choose another folder");
  }
  for (const std::string_view name : export_files(format)) {
    require_creatable(output, folder / name, overwrite);
  }
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
  std::error_code ignored;
  if (!this->folder().empty() && fs::equivalent(this->folder(), folder, ignored)) {
    fail(Fault::cannot_create, output_place(Field{"output"}, folder), "is the model itself",
         "choose another folder");
  }
  prepare_folder(folder_path(folder), format, plan.overwrite ? Overwrite::yes : Overwrite::no);
  Threads threads(plan.threads);
  const std::optional<InferenceReport> report =
      export_model({model, format, folder, inference}, corpus ? &*corpus : nullptr, threads,
                   watch_or_go_on(plan.progress));
  if (!report) {
    fs::remove(folder, ignored);  // not empty: then it was there before
    fail_stopped(folder);
  }
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
