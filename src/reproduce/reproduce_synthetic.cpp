// The study of the sparse posterior as one call.
#include <fmt/format.h>

#include "core/fields.hpp"
#include "core/sizes.hpp"
#include "reproduce/findings.hpp"
#include "reproduce/study_file.hpp"
#include "reproduce/study_folder.hpp"
#include "reproduce/synthetic_page.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

void describe_chains(Fields& fields, std::string_view name, std::optional<std::uint64_t>& chains) {
  fields.field(name, chains);
  if (chains && (*chains < 1000 || *chains > 100'000'000)) {
    fields.refuse(name, "must lie between 1,000 and 100 million",
                  "fewer chains make histograms of noise");
  }
}

SyntheticStudySettings settings_of(const SyntheticStudyPlan& plan) {
  SyntheticStudySettings settings =
      plan.quick ? SyntheticStudySettings::quick() : SyntheticStudySettings::full();
  const auto chains = [](std::optional<std::uint64_t> given, std::uint32_t usual) {
    return static_cast<std::uint32_t>(given.value_or(usual));
  };
  settings.seed = plan.seed;
  settings.chains = chains(plan.chains, settings.chains);
  settings.grid_chains = chains(plan.grid_chains, settings.grid_chains);
  settings.further_chains = chains(plan.further_chains, settings.further_chains);
  settings.iterations = plan.iterations.value_or(settings.iterations);
  return settings;
}

Json slopes_json(const std::vector<SlopeFit>& slopes) {
  Json list = Json::array();
  for (const SlopeFit& fit : slopes) {
    list.push_back({{"sampler", fit.key.sampler},
                    {"step_size", fit.key.step_size},
                    {"marginal", fit.marginal},
                    {"slope", fit.slope},
                    {"standard_error", fit.error},
                    {"r_squared", fit.r_squared},
                    {"first_iteration", fit.first},
                    {"last_iteration", fit.last}});
  }
  return list;
}

}  // namespace

void SyntheticStudyPlan::describe(Fields& fields) {
  fields.field("quick", quick);
  describe_chains(fields, "chains", chains);
  describe_chains(fields, "grid_chains", grid_chains);
  describe_chains(fields, "further_chains", further_chains);
  fields.field("iterations", iterations);
  if (iterations && (*iterations < 100 || *iterations > 1'000'000'000)) {
    fields.refuse("iterations", "must lie between 100 and a billion", "the paper takes 10,000");
  }
  fields.field("seed", seed);
  describe_isa(fields, isa);
}

Study reproduce_synthetic(const std::filesystem::path& folder, const SyntheticStudyPlan& plan) {
  require_in_range(plan);
  pin_for_study(plan.isa);
  StudyFolder place{folder};
  place.begin(plan.resume, plan.overwrite);
  SyntheticStudy study;
  study.plan = settings_of(plan);
  if (plan.resume) {
    study = read_study(place.data(), study.plan);
  } else {
    study.command = plan.command;
    write_study(place.data(), study);  // a folder that cannot be written to is found out now
  }
  if (plan.note) {
    plan.note(fmt::format("{} chains for the best curves, {} for the grid, {} for further samplers",
                          grouped(study.plan.chains), grouped(study.plan.grid_chains),
                          grouped(study.plan.further_chains)));
  }
  Threads threads(plan.threads);
  if (!run_synthetic(study, threads, watch_or_go_on(plan.progress),
                     [&](const SyntheticStudy& now) { write_study(place.data(), now); })) {
    return {.folder = folder, .page = place.page(), .seconds = study.seconds};
  }
  StudyFindings found = find_in(study);
  const StudyOutputs outputs{curves_csv(study), page_of(synthetic_chapter(study, found)),
                             synthetic_figures(study, found)};
  return finished_study(place, study.seconds, std::move(found.findings), outputs,
                        {{"slopes", slopes_json(found.slopes)}});
}

}  // namespace tain
