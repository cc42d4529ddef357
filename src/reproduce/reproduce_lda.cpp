// The study of topic models as one call.
#include <fmt/format.h>

#include <algorithm>

#include "core/apart.hpp"
#include "core/fields.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"
#include "report/text.hpp"
#include "reproduce/lda_file.hpp"
#include "reproduce/lda_page.hpp"
#include "reproduce/study_folder.hpp"
#include "tain/text/synthesize.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

LdaStudySettings settings_of(const LdaStudyPlan& plan) {
  const auto topics = static_cast<std::uint32_t>(plan.topics.value_or(plan.quick ? 40 : 100));
  LdaStudySettings settings =
      plan.quick ? LdaStudySettings::quick(topics) : LdaStudySettings::full(topics);
  settings.seed = plan.seed;
  settings.documents = plan.docs.value_or(settings.documents);
  settings.held_out = plan.holdout.value_or(settings.held_out);
  settings.every = plan.eval_every.value_or(settings.every);
  settings.runs = static_cast<std::uint32_t>(plan.runs.value_or(settings.runs));
  settings.sweeps = plan.sweeps;
  settings.alpha = plan.alpha;
  settings.eta = plan.eta;
  return settings;
}

/// The corpus of the plan, or one drawn into the folder of the study.
Corpus corpus_of(const LdaStudyPlan& plan, const LdaStudySettings& settings, StudyFolder& place) {
  if (plan.corpus) {
    return *plan.corpus;
  }
  if (!plan.quick) {
    fail(Fault::usage, "corpus", "none is given",
         Phrase("give one, or ", Field{"quick", "true"}, " for a synthetic one"));
  }
  place.begin(plan.resume, plan.overwrite);
  const fs::path folder = place.folder / "corpus";
  std::error_code ignored;
  if (plan.resume && fs::exists(folder, ignored)) {
    return Corpus::open(folder);
  }
  return synthesize_corpus(folder, {.docs = settings.training_documents + settings.held_out,
                                    .topics = settings.topics,
                                    .vocab_size = 2000,
                                    .seed = settings.seed,
                                    .threads = plan.threads,
                                    .overwrite = true});
}

std::vector<std::string_view> methods_of_study() {
  std::vector<std::string_view> names;
  static const std::vector<LdaGrid> grids = lda_grids(2, 1);
  for (const LdaGrid& grid : grids) {
    names.push_back(grid.method);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Step sizes of the methods asked for, for the tokens that curves are trained on.
std::vector<LdaGrid> grids_for(const LdaStudyPlan& plan, const LdaStudySettings& settings,
                               const Corpus& corpus) {
  const double share = static_cast<double>(lda_corpus_facts(settings, corpus).training_documents) /
                       static_cast<double>(corpus.documents());
  std::vector<LdaGrid> grids = lda_grids(
      settings.topics, share * static_cast<double>(corpus.tokens()) / std::max(corpus.words(), 1U));
  std::erase_if(grids, [&](const LdaGrid& grid) {
    return !plan.methods.empty() &&
           std::ranges::find(plan.methods, grid.method) == plan.methods.end();
  });
  return grids;
}

/// What the study will take, before it begins.
std::string cost_text(const LdaStudy& study, const Corpus& corpus, std::size_t threads) {
  const LdaStudyCost cost = lda_study_cost(study.plan, corpus);
  return fmt::format(
      "{} curves of {} documents, about {} on {} {}; {} of memory beside the corpus ({} documents, "
      "{} words)",
      cost.curves, grouped(study.corpus.documents_seen),
      duration(cost.core_seconds / static_cast<double>(threads)), threads,
      threads == 1 ? "thread" : "threads",
      format_bytes(static_cast<double>(cost.bytes_per_thread) * static_cast<double>(threads)),
      grouped(corpus.documents()), grouped(corpus.words()));
}

}  // namespace

void LdaStudyPlan::describe(Fields& fields) {
  fields.field("quick", quick);
  fields.count("topics", topics, 2, most_topics);  // half of them are compared too
  fields.field("methods", methods);
  const std::vector<std::string_view> known = methods_of_study();
  for (const std::string& method : methods) {
    if (std::ranges::find(known, method) == known.end()) {
      const std::string_view near = nearest_name(method, known);
      fields.refuse("methods", fmt::format("'{}' is no method of the study", method),
                    near.empty() ? fmt::format("choose from {}", fmt::join(known, ", "))
                                 : fmt::format("did you mean '{}'?", near));
    }
  }
  fields.count("docs", docs, 1);
  fields.count("holdout", holdout, 1);
  fields.count("eval_every", eval_every, 1);
  fields.count("runs", runs, 1, 1000);
  fields.count("sweeps", sweeps, 2, 10'000);
  fields.positive("alpha", alpha);
  fields.positive("eta", eta);
  fields.field("seed", seed);
  describe_isa(fields, isa);
}

Study reproduce_lda(const fs::path& folder, const LdaStudyPlan& plan) {
  require_in_range(plan);
  pin_for_study(plan.isa);
  const NamedPath input{"the folder of the corpus",
                        plan.corpus ? plan.corpus->folder() : fs::path()};
  require_apart(NamedPath{Field{"output"}, folder}, {&input, 1});
  StudyFolder place{folder};
  LdaStudy study;
  study.plan = settings_of(plan);
  const Corpus corpus = corpus_of(plan, study.plan, place);
  study.plan.grids = grids_for(plan, study.plan, corpus);
  study.corpus = lda_corpus_facts(study.plan, corpus);
  study.command = plan.command;
  place.begin(plan.resume, plan.overwrite);
  if (plan.resume) {
    study = read_study(place.data(), study);
  } else {
    write_study(place.data(), study);  // a folder that cannot be written to is found out now
  }
  Threads threads(plan.threads);
  if (plan.note) {
    plan.note(cost_text(study, corpus, threads.count()));
  }
  if (!run_lda_study(study, corpus, threads, watch_or_go_on(plan.progress),
                     [&](const LdaStudy& now) { write_study(place.data(), now); })) {
    return {.folder = folder, .page = place.page(), .seconds = study.seconds};
  }
  std::vector<StudyFinding> found = find_in(study);
  const StudyOutputs outputs{curves_csv(study), page_of(lda_chapter(study, found)),
                             lda_figures(study)};
  return finished_study(place, study.seconds, std::move(found), outputs);
}

}  // namespace tain
