#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/study.hpp"
#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "core/simd.hpp"
#include "reproduce/findings.hpp"
#include "reproduce/study_file.hpp"
#include "reproduce/synthetic_page.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::uint32_t chain_count(const Options& options, std::string_view flag, std::uint32_t fallback) {
  if (!options.given(flag)) {
    return fallback;
  }
  const std::uint64_t count = options.positive_count(flag);
  if (count < 1000 || count > 100'000'000) {
    reject(options.value(flag), "must lie between 1,000 and 100 million",
           "fewer chains make histograms of noise");
  }
  return static_cast<std::uint32_t>(count);
}

SyntheticStudyPlan synthetic_study_plan(const Options& options) {
  SyntheticStudyPlan plan =
      options.on("quick") ? SyntheticStudyPlan::quick() : SyntheticStudyPlan::full();
  plan.seed = *options.count("seed");
  plan.chains = chain_count(options, "chains", plan.chains);
  plan.grid_chains = chain_count(options, "grid-chains", plan.grid_chains);
  plan.further_chains = chain_count(options, "further-chains", plan.further_chains);
  if (options.given("iterations")) {
    plan.iterations = options.positive_count("iterations");
    if (plan.iterations < 100 || plan.iterations > 1'000'000'000) {
      reject(options.value("iterations"), "must lie between 100 and a billion",
             "the paper takes 10,000");
    }
  }
  return plan;
}

SyntheticStudy open_study(const StudyFolder& place, const SyntheticStudyPlan& plan,
                          const Options& options, const std::string& command_line) {
  require_study_folder(place, options);
  if (options.on("resume")) {
    return read_study(place.data(), plan);
  }
  SyntheticStudy study;
  study.plan = plan;
  study.command = command_line;
  write_study(place.data(), study);  // a folder that cannot be written to is found out now
  return study;
}

Json json_of(const StudyFindings& found) {
  Json slopes = Json::array();
  for (const SlopeFit& fit : found.slopes) {
    slopes.push_back({{"sampler", fit.key.sampler},
                      {"step_size", fit.key.step_size},
                      {"marginal", fit.marginal},
                      {"slope", fit.slope},
                      {"standard_error", fit.error},
                      {"r_squared", fit.r_squared},
                      {"first_iteration", fit.first},
                      {"last_iteration", fit.last}});
  }
  return {{"findings", findings_json(found.findings)}, {"slopes", std::move(slopes)}};
}

}  // namespace

int reproduce_synthetic_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (options.choice("isa") != "auto") {
    pin_isa(parse_isa(options.choice("isa")));
  }
  const SyntheticStudyPlan plan = synthetic_study_plan(options);
  const StudyFolder place{options.text("output").value_or("synthetic")};
  SyntheticStudy study = open_study(place, plan, options, shell_text(raw.words));
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  console.note(
      fmt::format("{} chains for the best curves, {} for the grid, {} for further samplers; "
                  "a stopped study goes on with --resume",
                  plan.chains, plan.grid_chains, plan.further_chains));
  Threads threads(options.threads());
  StatusLine line(progress_mode(options.on("quiet") ? "none" : options.choice("progress")));
  const bool finished =
      run_synthetic(study, threads, observer_for(line),
                    [&](const SyntheticStudy& now) { write_study(place.data(), now); });
  line.clear();
  if (!finished) {
    console.note(
        fmt::format("stopped; what is done is in {}; go on with --resume", place.data().string()));
    return static_cast<int>(stop_fault());
  }
  const StudyFindings found = find_in(study);
  write_outputs(place, {curves_csv(study), page_of(synthetic_chapter(study, found)),
                        synthetic_figures(study, found), json_of(found)});
  if (options.on("json")) {
    Json object = json_of(found);
    object["page"] = place.page().string();
    object["seconds"] = study.seconds;
    print(object.dump(2) + "\n");
  } else {
    print(findings_text(found.findings) + fmt::format("Page: {}\n", place.page().string()));
  }
  return 0;
}

}  // namespace tain::cli
