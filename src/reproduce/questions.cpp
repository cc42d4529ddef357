#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "reproduce/comparison.hpp"

namespace tain {
namespace {

/// Each sampler with the step of the grid that suits every number of iterations best.
StudyFinding best_step_at_every_moment(const SyntheticStudy& study) {
  StudyFinding finding{"Who leads if the step may be chosen for every number of iterations?",
                       "beyond the paper",
                       std::nullopt,
                       {},
                       Exhibit::starts};
  for (const StudyStart& start : study.starts) {
    const Curves mld = ranked(study.grid, "mld", "last", start.name);
    const Curves sgrld = ranked(study.grid, "sgrld", "", start.name);
    for (std::size_t m = 0; m < study.marginals.size(); ++m) {
      const auto slow = last_clear_lead(sgrld, mld, m), fast = last_clear_lead(mld, sgrld, m);
      finding.sentences.push_back(fmt::format(
          "From the {}, {}, {} bins: {}; {}.", start.name, coordinate_name(study.marginals[m]),
          study.marginals[m].binning,
          slow ? fmt::format("SGRLD is clearly lower as late as iteration {}", grouped(*slow))
               : "SGRLD is never clearly lower",
          fast ? fmt::format("MLD as late as iteration {}", grouped(*fast)) : "neither is MLD"));
    }
  }
  return finding;
}

StudyFinding binning(const SyntheticStudy& study) {
  StudyFinding finding{
      "Does the binning matter?", "beyond the paper", std::nullopt, {}, Exhibit::binning};
  for (const Marginal& m : study.marginals) {
    finding.sentences.push_back(fmt::format(
        "{}, {} bins: the first bin has probability {}, so a sampler that always returned 0 would "
        "score {}.",
        coordinate_name(m), m.binning, number(m.probability.front()),
        number(m.of_a_constant_zero)));
  }
  return finding;
}

StudyFinding one_step_size(const SyntheticStudy& study) {
  StudyFinding finding{"Does one step size serve both coordinates, and what of the theory's?",
                       "beyond the paper",
                       std::nullopt,
                       {},
                       Exhibit::step_sizes};
  const double theory = 2 / synthetic_posterior().total();
  for (const StudyStart& start : study.starts) {
    const Curves curves = ranked(study.grid, "mld", "last", start.name);
    const Lowest one = lowest(curves, first_width), eight = lowest(curves, eighth_probability);
    finding.sentences.push_back(fmt::format(
        "From the {}: MLD ends lowest on coordinate 1 with step {} and on coordinate 8 "
        "(equal-probability bins) with step {}, {} and {} times the theory's bound 1/L = {}.",
        start.name, number(one.curve->key.step_size), number(eight.curve->key.step_size),
        number(one.curve->key.step_size / theory), number(eight.curve->key.step_size / theory),
        number(theory)));
  }
  const auto& steps = study.plan.mld_steps;
  const double near = *std::ranges::min_element(
      steps, {}, [&](double step) { return std::abs(std::log(step / theory)); });
  for (const Curve* curve : ranked(study.grid, "mld", "last", study.starts.front().name)) {
    if (curve->key.step_size == near) {
      finding.sentences.push_back(fmt::format(
          "At the grid's step nearest to 1/L ({}) MLD from the {} ends at {} on coordinate 1 and "
          "{} on coordinate 8 (equal-probability bins).",
          number(near), curve->key.start, number(curve->points.back().distance[first_width]),
          number(curve->points.back().distance[eighth_probability])));
    }
  }
  return finding;
}

StudyFinding our_coordinates(const SyntheticStudy& study) {
  StudyFinding finding{"Do other coordinates of the simplex do better than the paper's?",
                       "beyond the paper",
                       std::nullopt,
                       {},
                       Exhibit::samplers};
  const auto say = [&](std::string_view name, const Curves& curves) {
    if (curves.empty()) {
      return;
    }
    std::string sentence = fmt::format("MLD, {}:", name);
    for (std::size_t m = 0; m < study.marginals.size(); ++m) {
      const Lowest low = lowest(curves, m);
      sentence += fmt::format("{} {} (step {}) on {}, {} bins", m == 0 ? "" : ";",
                              number(low.distance), number(low.curve->key.step_size),
                              coordinate_name(study.marginals[m]), study.marginals[m].binning);
    }
    finding.sentences.push_back(sentence + ".");
  };
  for (const StudyStart& start : study.starts) {
    say(fmt::format("last category as reference (the paper's), from the {}, {} chains", start.name,
                    grouped(study.plan.grid_chains)),
        ranked(study.grid, "mld", "last", start.name));
    say(fmt::format("first category as reference, from the {}, {} chains", start.name,
                    grouped(study.plan.grid_chains)),
        ranked(study.grid, "mld", "first", start.name));
  }
  say(fmt::format("stretched coordinates, from the {}, {} chains", study.starts.front().name,
                  grouped(study.plan.further_chains)),
      curves_of(study.further, "mld", "stretched"));
  return finding;
}

/// First point at which every marginal is within twice its noise floor.
const CurvePoint* arrival(const Curve& curve, const CurvePoint& floor) {
  for (const CurvePoint& point : curve.points) {
    bool there = true;
    for (std::size_t m = 0; m < floor.distance.size(); ++m) {
      there &= point.distance[m] < 2 * floor.distance[m];
    }
    if (there) {
      return &point;
    }
  }
  return nullptr;
}

StudyFinding other_samplers(const SyntheticStudy& study) {
  StudyFinding finding{"How do samplers that the paper leaves out compare?",
                       "beyond the paper",
                       std::nullopt,
                       {},
                       Exhibit::samplers};
  for (const Curve& exact : study.exact) {
    const CurvePoint& floor = exact.points.front();
    finding.sentences.push_back(
        fmt::format("Noise floor of {} exact draws: {} and {} (coordinate 1, equal width and equal "
                    "probability), "
                    "{} and {} (coordinate 8).",
                    grouped(exact.key.chains), number(floor.distance[0]), number(floor.distance[1]),
                    number(floor.distance[2]), number(floor.distance[3])));
  }
  const auto say = [&](const Curve& curve) {
    const auto floor = std::ranges::find_if(
        study.exact, [&](const Curve& e) { return e.key.chains == curve.key.chains; });
    if (floor == study.exact.end()) {
      return;
    }
    const CurvePoint* there = arrival(curve, floor->points.front());
    const CurvePoint& last = curve.points.back();
    std::string name = curve.key.sampler;
    if (!curve.key.coordinates.empty()) {
      name += fmt::format(" ({} coordinates)", curve.key.coordinates);
    }
    name += curve.key.step_size > 0 ? fmt::format(" at step {}", number(curve.key.step_size))
                                    : " tuned by a warm-up";
    name += fmt::format(", from the {},", curve.key.start);
    finding.sentences.push_back(
        there
            ? fmt::format("{} is within twice the noise floor of {} chains on both coordinates "
                          "and binnings after {} iterations ({} core seconds per million chains).",
                          name, grouped(curve.key.chains), grouped(there->iteration),
                          number(there->seconds))
            : fmt::format("{} is not there after {} iterations ({} core seconds per million "
                          "chains): {}, {} (coordinate 1), {}, {} (coordinate 8).",
                          name, grouped(last.iteration), number(last.seconds),
                          number(last.distance[0]), number(last.distance[1]),
                          number(last.distance[2]), number(last.distance[3])));
  };
  std::ranges::for_each(study.further, say);
  std::ranges::for_each(study.best, say);
  return finding;
}

}  // namespace

std::vector<StudyFinding> questions(const SyntheticStudy& study) {
  return {best_step_at_every_moment(study), binning(study), one_step_size(study),
          our_coordinates(study), other_samplers(study)};
}

}  // namespace tain
