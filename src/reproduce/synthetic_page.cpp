#include "reproduce/synthetic_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/text.hpp"
#include "reproduce/exhibits.hpp"

namespace tain {
namespace {

std::string lead(const SyntheticStudy& study, const StudyFindings& findings) {
  const DirichletPosterior posterior = synthetic_posterior();
  return fmt::format(
      "The synthetic experiment of the paper on mirrored Langevin dynamics (Hsieh, Kavis, Rolland "
      "and Cevher, NeurIPS 2018, section 5.1), run again with {} independent chains per curve on "
      "the same Dirichlet posterior of {} categories and {} observations. {}",
      grouped(study.plan.chains), posterior.dim(), grouped(posterior.terms()),
      count_of_claims(findings.findings));
}

constexpr std::array<StudySection, 5> sections = {{
    {Exhibit::paper, "The paper's experiment",
     "The three best step sizes of either sampler, as in the paper; all chains from the first of "
     "the starting points below."},
    {Exhibit::binning, "Bins of equal probability",
     "The same chains, seen through bins that each hold the same share of the exact law."},
    {Exhibit::starts, "Starting points",
     "Every sampler has the step size that suits it best from that start."},
    {Exhibit::step_sizes, "Step sizes",
     "What the whole grid says: distances at the last iteration, and the step size that the theory "
     "of smooth convex potentials asks for."},
    {Exhibit::samplers, "Other coordinates and samplers",
     "One curve per sampler and set of coordinates, the best step size that was tried for each."},
}};

/// Powers of ten from 10 on, and the last iteration.
std::vector<std::uint64_t> table_iterations(std::uint64_t last) {
  std::vector<std::uint64_t> iterations;
  for (std::uint64_t t = 10; t < last; t *= 10) {
    iterations.push_back(t);
  }
  iterations.push_back(last);
  return iterations;
}

std::string marginal_name(const Marginal& m) {
  return fmt::format("coordinate {}, bins of {}", m.category + 1, m.binning);
}

Table table_of(const SyntheticStudy& study, std::size_t marginal) {
  const std::vector<std::uint64_t> iterations = table_iterations(study.plan.iterations);
  Table table{"Distance: " + marginal_name(study.marginals[marginal]), {{"Curve"}}, {}};
  for (const std::uint64_t t : iterations) {
    table.columns.push_back({fmt::format("T = {}", grouped(t)), Align::right});
  }
  for (const Curve& curve : study.best) {
    std::vector<Cell> row{curve_name(curve.key)};
    for (const std::uint64_t t : iterations) {
      const auto point = std::ranges::find(curve.points, t, &CurvePoint::iteration);
      row.push_back(point == curve.points.end()
                        ? "–"
                        : measured(point->distance[marginal], point->error[marginal]));
    }
    table.rows.push_back(std::move(row));
  }
  for (const Curve& curve : study.exact) {
    if (curve.key.chains == study.plan.chains && !curve.points.empty()) {
      std::vector<Cell> row{"exact draws"};
      const CurvePoint& point = curve.points.front();
      row.resize(iterations.size(), "");
      row.push_back(measured(point.distance[marginal], point.error[marginal]));
      table.rows.push_back(std::move(row));
      break;
    }
  }
  return table;
}

Table slopes_table(const SyntheticStudy& study, const StudyFindings& findings) {
  Table table{"Slopes of log distance on log T, before saturation",
              {{"Curve"},
               {"Coordinate and bins"},
               {"Slope", Align::right},
               {"R²", Align::right},
               {"Iterations", Align::right},
               {"Looks", Align::right},
               {"Like 1/√T?"}},
              {}};
  for (const SlopeFit& fit : findings.slopes) {
    table.rows.push_back({curve_name(fit.key), marginal_name(study.marginals[fit.marginal]),
                          measured(fit.slope, fit.error), fmt::format("{:.3f}", fit.r_squared),
                          fmt::format("{} to {}", grouped(fit.first), grouped(fit.last)),
                          std::to_string(fit.looks), is_inverse_root(fit) ? "yes" : "no"});
  }
  return table;
}

std::string counts_text(std::span<const double> values) {
  std::string text;
  for (const double value : values) {
    const bool whole = value == std::floor(value) && value >= 0 && value < 1e15;
    text += (text.empty() ? "" : ", ") +
            (whole ? grouped(static_cast<std::uint64_t>(value)) : compact(value, 6));
  }
  return text;
}

std::string binning_text(const SyntheticStudy& study) {
  std::string text;
  for (const Marginal& m : study.marginals) {
    text += fmt::format("{}{}: {} of them", text.empty() ? "" : "; ", marginal_name(m),
                        m.probability.size());
    if (!m.log_edges.empty()) {
      text += fmt::format(", inner edges from {} to {}", compact(std::exp(m.log_edges.front()), 4),
                          compact(std::exp(m.log_edges.back()), 4));
    }
  }
  return text + ". The outermost bins are unbounded.";
}

std::string starts_text(const SyntheticStudy& study) {
  std::string text;
  for (const StudyStart& start : study.starts) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", start.name, start.description);
  }
  return text + ". All chains of a curve start at one point.";
}

void add_method(const SyntheticStudy& study, Page& page) {
  const DirichletPosterior posterior = synthetic_posterior();
  page.section("How it was measured", Page::Depth::some);
  page.definitions({
      {"Target", fmt::format("Dirichlet posterior with counts {} and α = {} for every category.",
                             counts_text(posterior.counts()), compact(posterior.alpha()[0]))},
      {"Distance",
       "Total variation between the histogram of the chains after T iterations and the exact "
       "probabilities of the same bins under the Beta law of the coordinate."},
      {"Bins", binning_text(study)},
      {"Chains",
       fmt::format("{} for the best curves, {} for the grid, {} for the further samplers, "
                   "independent of each other.",
                   grouped(study.plan.chains), grouped(study.plan.grid_chains),
                   grouped(study.plan.further_chains))},
      {"Error bars",
       "One standard error of the distance over independent chains. Exact draws have a positive "
       "distance too: the noise floor, drawn as a line."},
      {"Starts", starts_text(study)},
      {"Gradients", "Of all observations, for every sampler."},
      {"Grid", fmt::format("MLD {}; SGRLD {}.", steps_text(study.plan.mld_steps),
                           steps_text(study.plan.sgrld_steps))},
      {"Selection",
       "The three step sizes with the least mean of log distance over both coordinates, bins of "
       "equal width, iterations from a tenth of the last one on; picked on the grid's chains and "
       "then run again."},
      {"Coordinates",
       "MLD runs in the paper's coordinates (last category as reference) unless a curve says first "
       "(first category as reference) or stretched."},
      {"Slopes",
       "Least squares between the first look below 80 % of a curve's largest distance and the last "
       "look above 150 % of its last one."},
      {"Time", fmt::format("{} on {} {}; seconds in figures are those of one core for a million "
                           "chains.",
                           duration(study.seconds), study.threads,
                           study.threads == 1 ? "thread" : "threads")},
      {"Seed", std::to_string(study.plan.seed)},
  });
}

void add_study(const SyntheticStudy& study, const StudyFindings& findings, Page& page) {
  add_glance(findings.findings, page);
  const std::vector<StudyFigure> figures = study_figures(study, findings);
  for (const StudySection& section : sections) {
    add_section(section, findings.findings, figures, page);
  }
  page.section("Numbers", Page::Depth::some);
  for (std::size_t m = 0; m < study.marginals.size(); ++m) {
    page.table(table_of(study, m));
  }
  page.table(slopes_table(study, findings));
  add_method(study, page);
  if (!study.command.empty()) {
    page.section("Repeat it");
    page.command(study.command);
  }
}

}  // namespace

Chapter synthetic_chapter(const SyntheticStudy& study, const StudyFindings& findings) {
  return {"Mirrored Langevin dynamics on a sparse Dirichlet posterior", lead(study, findings),
          [study, findings](Page& page) { add_study(study, findings, page); }};
}

std::vector<std::pair<std::string, std::string>> synthetic_figures(const SyntheticStudy& study,
                                                                   const StudyFindings& findings) {
  return figure_files(study_figures(study, findings));
}

}  // namespace tain
