// A study nobody ran: power laws that saturate, with error bars, for every curve a study has.
#pragma once

#include <algorithm>
#include <cmath>

#include "reproduce/curves.hpp"
#include "reproduce/histograms.hpp"
#include "reproduce/synthetic.hpp"

namespace tain {

struct MadeUpCurve {
  double exponent = -0.5, level = 0.01, seconds_per_iteration = 0.02;
  std::uint64_t iterations = 10'000;
};

inline Curve made_up_curve(const CurveKey& key, const MadeUpCurve& shape) {
  Curve curve{key, {}};
  for (const std::uint64_t t : looks_up_to(shape.iterations)) {
    CurvePoint point{t, shape.seconds_per_iteration * double(t), {}, {}};
    for (int m = 0; m < 4; ++m) {
      const double level = shape.level * (1 + 0.4 * m);
      const double falling = 0.9 * std::min(1.0, std::pow(double(t) / (2 + m), shape.exponent));
      point.distance.push_back(std::min(0.98, std::hypot(level, falling)));
      point.error.push_back(0.6 / std::sqrt(double(key.chains)) + 0.02 * point.distance.back());
    }
    curve.points.push_back(std::move(point));
  }
  return curve;
}

inline Curve made_up_floor(std::uint32_t chains) {
  CurvePoint point{1, 0, {}, {}};
  for (int m = 0; m < 4; ++m) {
    point.distance.push_back((3 + m) / std::sqrt(double(chains)));
    point.error.push_back(0.3 / std::sqrt(double(chains)));
  }
  return {{"exact", "", "", 0, chains}, {point}};
}

/// Best near a step size: too small is slow, too large saturates high.
inline MadeUpCurve made_up_shape(double step, double best) {
  const double off = std::abs(std::log10(step / best));
  return {.exponent = -0.55 + 0.1 * std::min(off, 4.0), .level = 0.006 * std::pow(10.0, 0.6 * off)};
}

inline SyntheticStudy made_up_study() {
  SyntheticStudy study;
  study.plan = SyntheticStudySettings::full();
  study.seconds = 7512;
  study.threads = 2;
  const DirichletPosterior posterior = synthetic_posterior();
  for (const std::size_t category : {0, 7}) {
    study.marginals.push_back(equal_width_marginal(posterior, category, 100));
    study.marginals.push_back(equal_probability_marginal(posterior, category, 100));
  }
  study.starts = {{"centre", "the centre of the simplex", {}},
                  {"mean", "the posterior mean", {}},
                  {"corner", "a corner <nobody> observed & more", {}}};
  const SyntheticStudySettings& plan = study.plan;
  for (const std::uint32_t chains : {plan.chains, plan.further_chains, plan.grid_chains}) {
    study.exact.push_back(made_up_floor(chains));
  }
  double shift = 1;
  for (const StudyStart& start : study.starts) {
    for (const double step : plan.mld_steps) {
      study.grid.push_back(made_up_curve({"mld", "last", start.name, step, plan.grid_chains},
                                         made_up_shape(step, 0.01 * shift)));
      study.grid.push_back(made_up_curve({"mld", "first", start.name, step, plan.grid_chains},
                                         made_up_shape(step, 0.003 * shift)));
    }
    for (const double step : plan.sgrld_steps) {
      MadeUpCurve shape = made_up_shape(step, 1e-4 * shift);
      shape.level *= 3;
      study.grid.push_back(made_up_curve({"sgrld", "", start.name, step, plan.grid_chains}, shape));
    }
    shift *= 0.4;
  }
  for (const auto& [sampler, coordinates, step, shape] :
       {std::tuple{"scir", "", 0.5, MadeUpCurve{-2, 0.007, 3, 100}},
        {"sgrhmc", "", 1e-3, MadeUpCurve{-0.4, 0.04, 0.3}},
        {"mld", "stretched", 0.01, MadeUpCurve{-0.7, 0.009, 0.2}},
        {"mala", "stretched", 0.0, MadeUpCurve{-0.6, 0.008, 0.3}},
        {"hmc", "stretched", 0.0, MadeUpCurve{-1.2, 0.0075, 3, 1000}}}) {
    study.further.push_back(
        made_up_curve({sampler, coordinates, "centre", step, plan.further_chains}, shape));
  }
  for (const auto& [sampler, coordinates] : {std::pair{"mld", "last"}, {"sgrld", ""}}) {
    const auto curves = ranked(study.grid, sampler, coordinates, "centre");
    for (std::size_t k = 0; k < 3; ++k) {
      study.best.push_back(*curves[k]);
      study.best.back().key.chains = plan.chains;
    }
  }
  return study;
}

}  // namespace tain
