#include "reproduce/exhibits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "report/text.hpp"

namespace tain {
namespace {

using Curves = std::vector<const Curve*>;

constexpr std::string_view distance_label = "total variation distance";
// A reference line this close to 1 says nothing about a distance that begins there.
constexpr double near_one = 0.9;

struct SamplerLabel {
  std::string_view key, name;
  std::size_t colour;
};
constexpr std::array<SamplerLabel, 6> samplers = {{{"mld", "MLD", 0},
                                                   {"sgrld", "SGRLD", 1},
                                                   {"sgrhmc", "SGRHMC", 3},
                                                   {"scir", "SCIR", 4},
                                                   {"mala", "MALA", 2},
                                                   {"hmc", "HMC", 5}}};

SamplerLabel sampler_of(const CurveKey& key) {
  const auto found = std::ranges::find(samplers, key.sampler, &SamplerLabel::key);
  return found == samplers.end() ? SamplerLabel{key.sampler, key.sampler, 0} : *found;
}

Dash dash_of(std::size_t k) { return std::array{Dash::solid, Dash::dashed, Dash::dotted}[k % 3]; }

std::string coordinate(const Marginal& m) { return fmt::format("coordinate {}", m.category + 1); }

std::string slug(const Marginal& m) { return fmt::format("coordinate-{}", m.category + 1); }

bool equal_width(const Marginal& m) { return m.binning == "equal width"; }

/// Iterations, respectively core seconds per million chains.
using Across = double (*)(const CurvePoint&);
double iterations(const CurvePoint& point) { return double(point.iteration); }
double core_seconds(const CurvePoint& point) { return point.seconds; }

PlotLine series_of(const Curve& curve, std::size_t marginal, Across across, std::string label,
                   Dash dash) {
  PlotLine series{.label = std::move(label), .colour = sampler_of(curve.key).colour, .dash = dash};
  for (const CurvePoint& point : curve.points) {
    series.x.push_back(across(point));
    series.y.push_back(point.distance[marginal]);
    series.error.push_back(point.error[marginal]);
  }
  return series;
}

/// Lines for the distances of exact draws, one per number of chains among `curves`.
void add_noise_floors(const SyntheticStudy& study, const Curves& curves, std::size_t marginal,
                      Figure& figure) {
  for (const Curve& exact : study.exact) {
    const bool asked = std::ranges::any_of(
        curves, [&](const Curve* curve) { return curve->key.chains == exact.key.chains; });
    const std::string label = fmt::format("{} exact draws", grouped(exact.key.chains));
    const bool there = std::ranges::find(figure.horizontal, label, &ReferenceLine::label) !=
                       figure.horizontal.end();
    if (asked && !there && !exact.points.empty()) {
      figure.horizontal.push_back({label, exact.points.front().distance[marginal]});
    }
  }
}

void add_constant_zero(const Marginal& m, Figure& figure) {
  if (m.of_a_constant_zero < near_one) {
    figure.horizontal.push_back({"always x = 0", m.of_a_constant_zero});
  }
}

/// A line of slope -1/2 through the point where the best curve begins to fall.
void add_inverse_root(const StudyFindings& findings, const Curves& curves, std::size_t marginal,
                      Figure& figure) {
  const auto fit = std::ranges::find_if(findings.slopes, [&](const SlopeFit& f) {
    return !curves.empty() && f.key == curves.front()->key && f.marginal == marginal;
  });
  if (fit == findings.slopes.end()) {
    return;
  }
  const std::vector<CurvePoint>& points = curves.front()->points;
  const auto start = std::ranges::find(points, fit->first, &CurvePoint::iteration);
  if (start == points.end()) {
    return;
  }
  Guide guide{"slope −1/2", {}, {}};
  for (const CurvePoint& p : {points.front(), points.back()}) {
    guide.x.push_back(double(p.iteration));
    guide.y.push_back(start->distance[marginal] *
                      std::sqrt(double(start->iteration) / double(p.iteration)));
  }
  figure.guides.push_back(std::move(guide));
}

/// All that the figures are made from.
class Exhibits {
 public:
  Exhibits(const SyntheticStudy& study, const StudyFindings& findings)
      : study_(study), findings_(findings) {}

  StudyFigure of_the_paper(std::size_t marginal) const;
  StudyFigure of_starts(std::size_t marginal) const;
  StudyFigure of_step_sizes(std::size_t marginal) const;
  StudyFigure of_samplers(std::size_t marginal) const;
  StudyFigure of_seconds(std::size_t marginal) const;

 private:
  std::string first_start() const {
    return study_.starts.empty() ? "" : study_.starts.front().name;
  }
  /// The curve of every sampler with the least mean log distance, from the first start; of tuned
  /// ones (mala, hmc) those from other starts too.
  Curves one_of_each(std::size_t marginal) const;
  Figure logarithmic(std::string title, std::string subtitle, std::string across) const {
    return {.title = std::move(title),
            .subtitle = std::move(subtitle),
            .x = {std::move(across), AxisScale::logarithmic},
            .y = {std::string(distance_label), AxisScale::logarithmic}};
  }
  void add_samplers(std::size_t marginal, Across across, Figure& figure) const;

  const SyntheticStudy& study_;
  const StudyFindings& findings_;
};

StudyFigure Exhibits::of_the_paper(std::size_t marginal) const {
  const Marginal& m = study_.marginals[marginal];
  Figure figure =
      logarithmic(fmt::format("MLD and SGRLD, {}", coordinate(m)),
                  fmt::format("the best three step sizes of each, {} chains, {} bins of {}",
                              grouped(study_.plan.chains), m.probability.size(), m.binning),
                  "iterations T");
  Curves all;
  for (const auto& [sampler, coordinates] : {std::pair{"mld", "last"}, {"sgrld", ""}}) {
    const Curves curves = ranked(study_.best, sampler, coordinates, first_start());
    for (std::size_t k = 0; k < curves.size(); ++k) {
      figure.series.push_back(
          series_of(*curves[k], marginal, iterations, curve_name(curves[k]->key), dash_of(k)));
      all.push_back(curves[k]);
    }
  }
  add_noise_floors(study_, all, marginal, figure);
  add_constant_zero(m, figure);
  add_inverse_root(findings_, all, marginal, figure);
  const bool width = equal_width(m);
  const std::string paper_figure = !width            ? ""
                                   : m.category == 0 ? " The paper's figure 1a."
                                   : m.category == 7 ? " The paper's figure 2a (appendix)."
                                                     : "";
  return {
      fmt::format("best-{}{}", slug(m), width ? "" : "-equal-probability"),
      width ? Exhibit::paper : Exhibit::binning,
      {std::move(figure),
       fmt::format("Total variation of {} to its exact law against iterations, bins of {}; bars "
                   "are standard errors.{}",
                   coordinate(m), m.binning, paper_figure)}};
}

StudyFigure Exhibits::of_starts(std::size_t marginal) const {
  const Marginal& m = study_.marginals[marginal];
  Figure figure =
      logarithmic(fmt::format("Where the chains start, {}", coordinate(m)),
                  fmt::format("the best step size of the grid from each start, {} chains",
                              grouped(study_.plan.grid_chains)),
                  "iterations T");
  Curves all;
  for (const auto& [sampler, coordinates] : {std::pair{"mld", "last"}, {"sgrld", ""}}) {
    for (std::size_t k = 0; k < study_.starts.size(); ++k) {
      const Curves curves = ranked(study_.grid, sampler, coordinates, study_.starts[k].name);
      if (!curves.empty()) {
        const CurveKey& key = curves.front()->key;
        figure.series.push_back(series_of(
            *curves.front(), marginal, iterations,
            fmt::format("{} from {}, {}", sampler_of(key).name, key.start, compact(key.step_size)),
            dash_of(k)));
        all.push_back(curves.front());
      }
    }
  }
  add_noise_floors(study_, all, marginal, figure);
  return {"starts-" + slug(m),
          Exhibit::starts,
          {std::move(figure),
           fmt::format("Coordinate {}, bins of {}: the number after a start is the step size.",
                       m.category + 1, m.binning)}};
}

StudyFigure Exhibits::of_step_sizes(std::size_t marginal) const {
  const Marginal& m = study_.marginals[marginal];
  Figure figure = logarithmic(
      fmt::format("What the step size does, {}", coordinate(m)),
      fmt::format("after {} iterations of {} chains, bins of {}", grouped(study_.plan.iterations),
                  grouped(study_.plan.grid_chains), m.binning),
      "step size");
  Curves all;
  for (const auto& [sampler, coordinates, label, dash] :
       {std::tuple{"mld", "last", "MLD, last category as reference", Dash::solid},
        {"mld", "first", "MLD, first category as reference", Dash::dashed},
        {"sgrld", "", "SGRLD", Dash::solid}}) {
    Curves curves = ranked(study_.grid, sampler, coordinates, first_start());
    std::ranges::sort(curves, {}, [](const Curve* curve) { return curve->key.step_size; });
    PlotLine series{.label = label, .dash = dash};
    for (const Curve* curve : curves) {
      series.colour = sampler_of(curve->key).colour;
      series.x.push_back(curve->key.step_size);
      series.y.push_back(curve->points.back().distance[marginal]);
      series.error.push_back(curve->points.back().error[marginal]);
      all.push_back(curve);
    }
    figure.series.push_back(std::move(series));
  }
  // W has a gradient with Lipschitz constant L = (N + Gamma)/2 (targets/dirichlet.hpp)
  const double theory = 2 / synthetic_posterior().total();
  figure.vertical.push_back({fmt::format("1/L = 2/(N + Γ) = {}", compact(theory)), theory});
  add_noise_floors(study_, all, marginal, figure);
  add_constant_zero(m, figure);
  return {
      "step-sizes-" + slug(m),
      Exhibit::step_sizes,
      {std::move(figure),
       fmt::format(
           "Coordinate {}, bins of {}: distance at the last iteration for every step size of the "
           "grid.",
           m.category + 1, m.binning)}};
}

Curves Exhibits::one_of_each(std::size_t marginal) const {
  Curves chosen;
  const auto add = [&](std::span<const Curve> curves, std::string_view sampler,
                       std::string_view coordinates) {
    const Curves found = ranked(curves, sampler, coordinates, first_start());
    const auto best = std::ranges::min_element(found, {}, [marginal](const Curve* curve) {
      double sum = 0;
      for (const CurvePoint& point : curve->points) {
        sum += std::log(point.distance[marginal]);
      }
      return sum / static_cast<double>(curve->points.size());
    });
    if (best != found.end()) {
      chosen.push_back(*best);
    }
  };
  add(study_.grid, "mld", "last");
  add(study_.grid, "mld", "first");
  add(study_.further, "mld", "stretched");
  add(study_.grid, "sgrld", "");
  add(study_.further, "sgrhmc", "");
  add(study_.further, "scir", "");
  for (const Curve& curve : study_.further) {
    if (curve.key.step_size == 0) {
      chosen.push_back(&curve);
    }
  }
  return chosen;
}

void Exhibits::add_samplers(std::size_t marginal, Across across, Figure& figure) const {
  const Curves curves = one_of_each(marginal);
  for (const Curve* curve : curves) {
    const std::string& in = curve->key.coordinates;
    const bool mld = curve->key.sampler == "mld", elsewhere = curve->key.start != first_start();
    std::string name = curve_name(curve->key);
    if (curve->key.step_size == 0) {
      name += fmt::format(" from the {}", curve->key.start);
    }
    figure.series.push_back(series_of(*curve, marginal, across, std::move(name),
                                      (mld && in == "first") || elsewhere ? Dash::dashed
                                      : mld && in == "stretched"          ? Dash::dotted
                                                                          : Dash::solid));
  }
  add_noise_floors(study_, curves, marginal, figure);
}

StudyFigure Exhibits::of_samplers(std::size_t marginal) const {
  const Marginal& m = study_.marginals[marginal];
  Figure figure =
      logarithmic(fmt::format("All samplers against iterations, {}", coordinate(m)),
                  fmt::format("the best step size of each, bins of {}", m.binning), "iterations T");
  add_samplers(marginal, iterations, figure);
  return {"samplers-" + slug(m),
          Exhibit::samplers,
          {std::move(figure),
           fmt::format("Coordinate {}, bins of {}. All start at the {} unless said otherwise. "
                       "Iterations differ in price: see the figures against time.",
                       m.category + 1, m.binning, first_start())}};
}

StudyFigure Exhibits::of_seconds(std::size_t marginal) const {
  const Marginal& m = study_.marginals[marginal];
  Figure figure = logarithmic(fmt::format("All samplers against time, {}", coordinate(m)),
                              fmt::format("the best step size of each, bins of {}", m.binning),
                              "core seconds per million chains");
  add_samplers(marginal, core_seconds, figure);
  return {"samplers-seconds-" + slug(m),
          Exhibit::samplers,
          {std::move(figure),
           fmt::format(
               "Coordinate {}, bins of {}, against the time of one core; MALA and HMC without the "
               "warm-up that finds their step sizes.",
               m.category + 1, m.binning)}};
}

}  // namespace

std::string curve_name(const CurveKey& key) {
  std::string name(sampler_of(key).name);
  if (!key.coordinates.empty() && key.coordinates != "last") {
    name += fmt::format(" ({})", key.coordinates);
  }
  return key.step_size > 0 ? fmt::format("{}, step {}", name, compact(key.step_size)) : name;
}

std::vector<StudyFigure> study_figures(const SyntheticStudy& study, const StudyFindings& findings) {
  const Exhibits exhibits(study, findings);
  std::vector<StudyFigure> figures;
  const auto add = [&](auto make, bool (*wanted)(const Marginal&)) {
    for (std::size_t m = 0; m < study.marginals.size(); ++m) {
      if (wanted(study.marginals[m])) {
        figures.push_back((exhibits.*make)(m));
      }
    }
  };
  const auto other = [](const Marginal& m) { return !equal_width(m); };
  add(&Exhibits::of_the_paper, equal_width);
  add(&Exhibits::of_the_paper, other);
  add(&Exhibits::of_starts, other);
  add(&Exhibits::of_step_sizes, other);
  add(&Exhibits::of_samplers, other);
  add(&Exhibits::of_seconds, other);
  return figures;
}

}  // namespace tain
