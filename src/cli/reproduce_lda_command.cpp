#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/study.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "core/simd.hpp"
#include "report/text.hpp"
#include "reproduce/lda_file.hpp"
#include "reproduce/lda_page.hpp"
#include "tain/core/error.hpp"
#include "text/synthetic.hpp"

namespace tain::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::uint32_t count_up_to(const Options& options, std::string_view flag, std::uint64_t most) {
  const std::uint64_t count = options.positive_count(flag);
  if (count > most) {
    reject(options.value(flag), fmt::format("is more than {}", grouped(most)),
           "give a smaller number");
  }
  return static_cast<std::uint32_t>(count);
}

LdaStudyPlan lda_study_plan(const Options& options) {
  const bool quick = options.on("quick");
  LdaStudyPlan plan = quick ? LdaStudyPlan::quick() : LdaStudyPlan::full();
  if (options.given("topics")) {
    const std::uint32_t topics = count_up_to(options, "topics", most_topics);
    if (topics < 2) {
      reject(options.value("topics"), "must be at least 2", "half of them are compared too");
    }
    plan = quick ? LdaStudyPlan::quick(topics) : LdaStudyPlan::full(topics);
  }
  plan.seed = *options.count("seed");
  plan.documents = options.given("docs") ? options.positive_count("docs") : plan.documents;
  plan.held_out = options.given("holdout") ? options.positive_count("holdout") : plan.held_out;
  plan.every = options.given("eval-every") ? options.positive_count("eval-every") : plan.every;
  plan.runs = options.given("runs") ? count_up_to(options, "runs", 1000) : plan.runs;
  plan.sweeps = count_up_to(options, "sweeps", 10'000);
  plan.alpha = *options.positive_number("alpha");
  plan.eta = *options.positive_number("eta");
  return plan;
}

/// The corpus named, or one drawn into the folder of the study.
Corpus open_corpus(const RawOptions& raw, const Options& options, const StudyFolder& place,
                   const LdaStudyPlan& plan, Threads& threads) {
  if (!raw.arguments.empty()) {
    return Corpus::open(raw.arguments.front());
  }
  if (!options.on("quick")) {
    fail(Fault::usage, "reproduce lda", "no corpus is named",
         "give a folder that `tain corpus import` made, or --quick for a synthetic one");
  }
  require_study_folder(place, options);
  const fs::path folder = place.folder / "corpus";
  std::error_code ignored;
  if (!options.on("resume") || !fs::exists(folder, ignored)) {
    SyntheticPlan synthetic;
    synthetic.documents = plan.training_documents + plan.held_out;
    synthetic.topics = plan.topics;
    synthetic.words = 2000;
    synthetic.base = BaseFrequencies::zipf;
    synthetic.seed = plan.seed;
    synthesize_corpus(synthetic, folder, Overwrite::yes, threads,
                      [](const DocumentProgress&) { return Next::go_on; });
  }
  return Corpus::open(folder);
}

std::vector<std::string_view> distinct(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Step sizes for the tokens that curves are trained on.
std::vector<LdaGrid> grids_for(const LdaStudyPlan& plan, const Corpus& corpus) {
  const double share = static_cast<double>(lda_corpus_facts(plan, corpus).training_documents) /
                       static_cast<double>(corpus.documents());
  return lda_grids(plan.topics,
                   share * static_cast<double>(corpus.tokens()) / std::max(corpus.words(), 1U));
}

/// Those of the methods named; all if none is.
std::vector<LdaGrid> chosen(std::vector<LdaGrid> grids, const Options& options) {
  const RawValue* names = options.find("methods");
  if (names == nullptr) {
    return grids;
  }
  std::vector<std::string_view> known;
  for (const LdaGrid& grid : grids) {
    known.push_back(grid.method);
  }
  for (const std::string& name : names->parts) {
    if (std::ranges::find(known, name) == known.end()) {
      reject(
          *names, fmt::format("'{}' is no method of the study", name),
          suggestion(name, known, fmt::format("choose from {}", fmt::join(distinct(known), ", "))));
    }
  }
  std::erase_if(grids, [&](const LdaGrid& grid) {
    return std::ranges::find(names->parts, grid.method) == names->parts.end();
  });
  return grids;
}

/// What the study will take, before it begins.
std::string cost_text(const LdaStudy& study, const LdaStudyCost& cost, const Corpus& corpus,
                      std::size_t threads) {
  return fmt::format(
      "{} curves of {} documents, about {} on {} {}; {} of memory beside the corpus ({} documents, "
      "{} words); a stopped study goes on with --resume",
      cost.curves, grouped(study.corpus.documents_seen),
      duration(cost.core_seconds / static_cast<double>(threads)), threads,
      threads == 1 ? "thread" : "threads",
      format_bytes(static_cast<double>(cost.bytes_per_thread) * static_cast<double>(threads)),
      grouped(corpus.documents()), grouped(corpus.words()));
}

LdaStudy open_study(const StudyFolder& place, const LdaStudyPlan& plan, const Corpus& corpus,
                    const Options& options, const std::string& command_line) {
  LdaStudy study;
  study.plan = plan;
  study.command = command_line;
  study.corpus = lda_corpus_facts(plan, corpus);
  if (options.on("resume")) {
    return read_study(place.data(), study);
  }
  require_study_folder(place, options);
  write_study(place.data(), study);  // a folder that cannot be written to is found out now
  return study;
}

void show_results(const StudyFolder& place, const LdaStudy& study, const Options& options) {
  const std::vector<StudyFinding> found = find_in(study);
  Json object{{"findings", findings_json(found)}};
  write_outputs(
      place, {curves_csv(study), page_of(lda_chapter(study, found)), lda_figures(study), object});
  if (options.on("json")) {
    object["page"] = place.page().string();
    object["seconds"] = study.seconds;
    print(object.dump(2) + "\n");
  } else {
    print(findings_text(found) + fmt::format("Page: {}\n", place.page().string()));
  }
}

}  // namespace

int reproduce_lda_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (options.choice("isa") != "auto") {
    pin_isa(parse_isa(options.choice("isa")));
  }
  LdaStudyPlan plan = lda_study_plan(options);
  const StudyFolder place{options.text("output").value_or("lda-study")};
  Threads threads(options.threads());
  const Corpus corpus = open_corpus(raw, options, place, plan, threads);
  plan.grids = chosen(grids_for(plan, corpus), options);
  LdaStudy study = open_study(place, plan, corpus, options, shell_text(raw.words));
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  console.note(cost_text(study, lda_study_cost(plan, corpus), corpus, threads.count()));
  StatusLine line(progress_mode(options.on("quiet") ? "none" : options.choice("progress")));
  const bool finished = run_lda_study(study, corpus, threads, observer_for(line),
                                      [&](const LdaStudy& now) { write_study(place.data(), now); });
  line.clear();
  if (!finished) {
    console.note(
        fmt::format("stopped; what is done is in {}; go on with --resume", place.data().string()));
    return static_cast<int>(stop_fault());
  }
  show_results(place, study, options);
  return 0;
}

}  // namespace tain::cli
