#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "progress.hpp"
#include "tain/core/error.hpp"
#include "tain/core/file.hpp"
#include "tain/core/simd.hpp"
#include "tain/reproduce/findings.hpp"
#include "tain/reproduce/study_file.hpp"
#include "tain/reproduce/synthetic_page.hpp"
#include "terminal.hpp"
#include "values.hpp"

namespace tain::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

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

SyntheticStudyPlan make_plan(const Options& options) {
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

/// The folder of a study and what it holds.
struct StudyFolder {
  fs::path folder;
  fs::path data() const { return folder / "study.json"; }
  fs::path page() const { return folder / "index.html"; }
};

SyntheticStudy open_study(const StudyFolder& place, const SyntheticStudyPlan& plan,
                          const Options& options) {
  SyntheticStudy study;
  study.plan = plan;
  std::error_code ignored;
  if (options.on("resume")) {
    return read_study(place.data(), plan);
  }
  if (fs::exists(place.data(), ignored) && !options.on("force")) {
    fail(Fault::cannot_create, place.folder.string(), "holds a study already",
         "give --resume to go on with it, --force to replace it, or another -o");
  }
  std::error_code error;
  fs::create_directories(place.folder, error);
  if (error) {
    fail(Fault::cannot_create, place.folder.string(), error.message(), "give another -o");
  }
  write_study(place.data(), study);  // a folder that cannot be written to is found out now
  return study;
}

Json findings_json(const StudyFindings& found) {
  Json findings = Json::array(), slopes = Json::array();
  for (const StudyFinding& finding : found.findings) {
    findings.push_back({{"claim", finding.claim},
                        {"source", finding.source},
                        {"holds", finding.holds ? Json(holds_text(*finding.holds)) : Json(nullptr)},
                        {"sentences", finding.sentences}});
  }
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
  return {{"findings", std::move(findings)}, {"slopes", std::move(slopes)}};
}

std::string findings_text(const StudyFindings& found) {
  std::string text;
  for (const StudyFinding& finding : found.findings) {
    text += fmt::format("{} [{}]{}\n", finding.claim, finding.source,
                        finding.holds ? fmt::format(": {}", holds_text(*finding.holds)) : "");
    for (const std::string& sentence : finding.sentences) {
      text += fmt::format("  {}\n", sentence);
    }
    text += "\n";
  }
  return text;
}

void write_outputs(const StudyFolder& place, const SyntheticStudy& study,
                   const StudyFindings& found, const std::string& command_line) {
  write_atomically(place.folder / "curves.csv", curves_csv(study));
  for (const auto& [name, svg] : synthetic_figures(study, found)) {
    write_atomically(place.folder / name, svg);
  }
  write_atomically(place.folder / "findings.json", findings_json(found).dump(2) + "\n");
  write_atomically(place.page(), synthetic_page(study, found, command_line));
}

/// Status line with the time left, estimated from the share of the work that is done.
StudyObserver observer_for(StatusLine& line) {
  return [&line, start = Clock::now(), first = std::optional<double>()](const std::string& what,
                                                                        double share) mutable {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    first = first.value_or(share);
    if (line.due()) {
      const double done = share - *first;
      const double left = done > 0 ? seconds * (1 - share) / done : 0;
      line.show(fmt::format("reproduce  {}  {:.0f} %  eta {}", what, 100 * share, clock_text(left)),
                Json{{"what", what}, {"share", share}, {"eta_seconds", left}}.dump());
    }
    return stop_requested() ? Next::stop : Next::go_on;
  };
}

}  // namespace

int reproduce_command(const Command& command, const RawOptions& raw,
                      const std::string& command_line) {
  const Options options(command, raw);
  constexpr std::array<std::string_view, 1> studies{"synthetic"};
  if (raw.arguments.empty() || raw.arguments.front() != studies.front()) {
    fail(Fault::usage, "reproduce",
         raw.arguments.empty() ? "no study is named"
                               : fmt::format("unknown study '{}'", raw.arguments.front()),
         "give: tain reproduce synthetic");
  }
  if (options.choice("isa") != "auto") {
    pin_isa(parse_isa(options.choice("isa")));
  }
  const SyntheticStudyPlan plan = make_plan(options);
  const StudyFolder place{options.text("output").value_or("synthetic")};
  SyntheticStudy study = open_study(place, plan, options);
  const Talk talk(options.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  talk.say(
      fmt::format("{} chains for the best curves, {} for the grid, {} for further samplers; "
                  "a stopped study goes on with --resume",
                  plan.chains, plan.grid_chains, plan.further_chains));
  Threads threads(*options.count("threads"));
  StatusLine line(progress_mode(options.on("quiet") ? "none" : options.choice("progress")));
  const bool finished =
      run_synthetic(study, threads, observer_for(line),
                    [&](const SyntheticStudy& now) { write_study(place.data(), now); });
  line.clear();
  if (!finished) {
    talk.say(
        fmt::format("stopped; what is done is in {}; go on with --resume", place.data().string()));
    return static_cast<int>(stop_fault());
  }
  const StudyFindings found = find_in(study);
  write_outputs(place, study, found, command_line);
  if (options.on("json")) {
    Json object = findings_json(found);
    object["page"] = place.page().string();
    object["seconds"] = study.seconds;
    print(object.dump(2) + "\n");
  } else {
    print(findings_text(found) + fmt::format("Page: {}\n", place.page().string()));
  }
  return 0;
}

}  // namespace tain::cli
