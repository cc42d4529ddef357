#include "tain/reproduce/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace tain {
namespace {

// Errors of two distances add up; beyond this many of them one is lower than the other.
constexpr double sure = 3;

// Marginals of a study, in its order.
constexpr std::size_t first_width = 0, first_probability = 1, eighth_width = 2,
                      eighth_probability = 3;

using Curves = std::vector<const Curve*>;

Curves pointers(const std::vector<Curve>& curves, std::string_view sampler,
                std::string_view coordinates) {
  Curves found;
  for (const Curve& curve : curves) {
    if (curve.key.sampler == sampler && curve.key.coordinates == coordinates) {
      found.push_back(&curve);
    }
  }
  return found;
}

struct Lowest {
  const Curve* curve = nullptr;
  double distance = std::numeric_limits<double>::infinity(), error = 0;
};

/// The curve that is lowest at its point `back` from the end (0: the last).
Lowest lowest(const Curves& curves, std::size_t marginal, std::size_t back = 0) {
  Lowest best;
  for (const Curve* curve : curves) {
    if (curve->points.size() <= back) {
      continue;
    }
    const CurvePoint& point = curve->points[curve->points.size() - 1 - back];
    if (point.distance[marginal] < best.distance) {
      best = {curve, point.distance[marginal], point.error[marginal]};
    }
  }
  return best;
}

bool clearly_lower(const Lowest& a, const Lowest& b) {
  return a.distance + sure * std::hypot(a.error, b.error) < b.distance;
}

/// First iteration from which the lowest of `a` stays below the lowest of `b`; none if it never
/// does.
std::optional<std::uint64_t> stays_below_from(const Curves& a, const Curves& b,
                                              std::size_t marginal) {
  std::optional<std::uint64_t> from;
  for (std::size_t back = 0; back < a.front()->points.size(); ++back) {
    if (!(lowest(a, marginal, back).distance < lowest(b, marginal, back).distance)) {
      break;
    }
    from = a.front()->points[a.front()->points.size() - 1 - back].iteration;
  }
  return from;
}

std::string number(double value) { return fmt::format("{:.3g}", value); }
std::string with_error(const Lowest& low) {
  return fmt::format("{:.4f} ± {:.4f}", low.distance, low.error);
}

std::string coordinate_name(const Marginal& m) {
  return fmt::format("coordinate {}", m.category + 1);
}

/// Last iteration at which `b` is lower, where it ever is.
std::string lead_sentence(const Curves& mld, const Curves& sgrld, std::size_t marginal) {
  const auto from = stays_below_from(mld, sgrld, marginal);
  if (!from) {
    return "SGRLD is the lower one at the last iteration.";
  }
  if (*from == mld.front()->points.front().iteration) {
    return "MLD is the lower one at every iteration.";
  }
  return fmt::format(
      "MLD stays below SGRLD from iteration {} on; before, SGRLD leads at least once.", *from);
}

/// How much lower MLD ends, for one marginal; appends a sentence.
double margin(const SyntheticStudy& study, const Curves& mld, const Curves& sgrld,
              std::size_t marginal, std::vector<std::string>& sentences) {
  const Lowest a = lowest(mld, marginal), b = lowest(sgrld, marginal);
  const double ratio = b.distance / a.distance;
  sentences.push_back(
      fmt::format("After {} iterations, {}, {} bins: best MLD {} (step {}), best SGRLD {} (step "
                  "{}): MLD is {}. {}",
                  a.curve->points.back().iteration, coordinate_name(study.marginals[marginal]),
                  study.marginals[marginal].binning, with_error(a), number(a.curve->key.step_size),
                  with_error(b), number(b.curve->key.step_size),
                  clearly_lower(a, b)   ? fmt::format("{} times lower", number(ratio))
                  : clearly_lower(b, a) ? fmt::format("{} times higher", number(1 / ratio))
                                        : "neither lower nor higher beyond the errors",
                  lead_sentence(mld, sgrld, marginal)));
  return ratio;
}

/// The claim for every start, both binnings of a coordinate.
StudyFinding lower_distance(const SyntheticStudy& study, std::string claim, std::string source,
                            std::initializer_list<std::size_t> marginals) {
  StudyFinding finding{std::move(claim), std::move(source), Holds::yes, {}};
  std::size_t asked = 0, confirmed = 0, denied = 0;
  bool leads_always = true;
  const auto ask = [&](const Curves& mld, const Curves& sgrld, std::size_t m) {
    ++asked;
    confirmed += clearly_lower(lowest(mld, m), lowest(sgrld, m)) ? 1 : 0;
    denied += clearly_lower(lowest(sgrld, m), lowest(mld, m)) ? 1 : 0;
    const auto from = stays_below_from(mld, sgrld, m);
    leads_always &= from && *from == mld.front()->points.front().iteration;
  };
  const Curves mld = pointers(study.best, "mld", "last"), sgrld = pointers(study.best, "sgrld", "");
  for (const std::size_t m : marginals) {
    margin(study, mld, sgrld, m, finding.sentences);
    ask(mld, sgrld, m);
  }
  for (std::size_t s = 1; s < study.starts.size(); ++s) {
    const Start& start = study.starts[s];
    const Curves from_there = ranked(study.grid, "mld", "last", start.name);
    const Curves others = ranked(study.grid, "sgrld", "", start.name);
    for (const std::size_t m : marginals) {
      std::vector<std::string> sentence;
      margin(study, from_there, others, m, sentence);
      finding.sentences.push_back(fmt::format("From the {} ({}; {} chains): {}", start.name,
                                              start.description, study.plan.grid_chains,
                                              sentence.front()));
      ask(from_there, others, m);
    }
  }
  finding.holds = confirmed == asked ? Holds::yes : confirmed > 0 ? Holds::partly : Holds::no;
  finding.sentences.insert(
      finding.sentences.begin(),
      fmt::format(
          "Of {} comparisons (starts and binnings) MLD ends clearly lower in {} and clearly "
          "higher in {}{}; it is {}the lower one at every iteration of all of them.",
          asked, confirmed, denied,
          confirmed + denied < asked ? ", the others lie within the errors" : "",
          leads_always ? "" : "not "));
  return finding;
}

std::string curve_name(const SyntheticStudy& study, const CurveKey& key, std::size_t marginal) {
  return fmt::format("{} step {}, {}, {} bins", key.sampler == "mld" ? "MLD" : "SGRLD",
                     number(key.step_size), coordinate_name(study.marginals[marginal]),
                     study.marginals[marginal].binning);
}

std::string abrupt_sentence(const SyntheticStudy& study, const CurveKey& key,
                            std::size_t marginal) {
  return fmt::format(
      "{}: falls from above 80 % of its largest value to its last level within two "
      "looks; nothing to fit.",
      curve_name(study, key, marginal));
}

std::string slope_sentence(const SyntheticStudy& study, const SlopeFit& fit) {
  return fmt::format("{}: slope {:.2f} ± {:.2f} over iterations {} to {} ({} looks, R² {:.3f}).",
                     curve_name(study, fit.key, fit.marginal), fit.slope, fit.error, fit.first,
                     fit.last, fit.looks, fit.r_squared);
}

Holds from_count(std::size_t yes, std::size_t all) {
  return yes == all ? Holds::yes : yes > 0 ? Holds::partly : Holds::no;
}

/// Asks `is` of every fitted and unfitted curve of a sampler and marginal; the latter are none.
StudyFinding rate(const SyntheticStudy& study, const std::vector<SlopeFit>& slopes,
                  std::string_view sampler, std::string claim, std::string_view what,
                  const std::function<bool(const SlopeFit*)>& is) {
  StudyFinding finding{std::move(claim), "paper, section 5.1", Holds::no, {}};
  std::size_t all = 0, yes = 0;
  for (const Curve& curve : study.best) {
    for (std::size_t m = 0; curve.key.sampler == sampler && m < study.marginals.size(); ++m) {
      const auto fit = std::ranges::find_if(
          slopes, [&](const SlopeFit& f) { return f.key == curve.key && f.marginal == m; });
      const SlopeFit* found = fit == slopes.end() ? nullptr : &*fit;
      ++all;
      yes += is(found) ? 1 : 0;
      finding.sentences.push_back(found ? slope_sentence(study, *found)
                                        : abrupt_sentence(study, curve.key, m));
    }
  }
  finding.holds = from_count(yes, all);
  finding.sentences.insert(
      finding.sentences.begin(),
      fmt::format("{} of {} curves ({} step sizes, two coordinates, two binnings) {}.", yes, all,
                  all / study.marginals.size(), what));
  return finding;
}

StudyFinding stronger_on_eighth(const SyntheticStudy& study) {
  StudyFinding finding{
      "Along the other dimensions (coordinate 8) the improvement is even more significant.",
      "paper, appendix H.1",
      Holds::no,
      {}};
  const Curves mld = pointers(study.best, "mld", "last"), sgrld = pointers(study.best, "sgrld", "");
  std::size_t yes = 0;
  for (const auto& [one, eight] :
       {std::pair{first_width, eighth_width}, {first_probability, eighth_probability}}) {
    const double at_one = lowest(sgrld, one).distance / lowest(mld, one).distance;
    const double at_eight = lowest(sgrld, eight).distance / lowest(mld, eight).distance;
    yes += at_eight > at_one ? 1 : 0;
    finding.sentences.push_back(fmt::format(
        "{} bins: best SGRLD over best MLD is {} for coordinate 1 and {} for coordinate 8.",
        study.marginals[one].binning, number(at_one), number(at_eight)));
  }
  finding.holds = from_count(yes, 2);
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
  for (const Start& start : study.starts) {
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
  for (const Start& start : study.starts) {
    say(fmt::format("last category as reference (the paper's), from the {}, {} chains", start.name,
                    study.plan.grid_chains),
        ranked(study.grid, "mld", "last", start.name));
    say(fmt::format("first category as reference, from the {}, {} chains", start.name,
                    study.plan.grid_chains),
        ranked(study.grid, "mld", "first", start.name));
  }
  say(fmt::format("stretched coordinates, from the {}, {} chains", study.starts.front().name,
                  study.plan.further_chains),
      pointers(study.further, "mld", "stretched"));
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
                    exact.key.chains, number(floor.distance[0]), number(floor.distance[1]),
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
                          name, curve.key.chains, there->iteration, number(there->seconds))
            : fmt::format("{} is not there after {} iterations ({} core seconds per million "
                          "chains): {}, {} (coordinate 1), {}, {} (coordinate 8).",
                          name, last.iteration, number(last.seconds), number(last.distance[0]),
                          number(last.distance[1]), number(last.distance[2]),
                          number(last.distance[3])));
  };
  std::ranges::for_each(study.further, say);
  std::ranges::for_each(study.best, say);
  return finding;
}

}  // namespace

std::string_view holds_text(Holds holds) {
  switch (holds) {
    case Holds::yes:
      return "holds";
    case Holds::partly:
      return "holds in part";
    case Holds::no:
      break;
  }
  return "does not hold";
}

StudyFindings find_in(const SyntheticStudy& study) {
  StudyFindings all;
  for (const Curve& curve : study.best) {
    for (std::size_t m = 0; m < study.marginals.size(); ++m) {
      if (const auto fit = fit_slope(curve, m)) {
        all.slopes.push_back(*fit);
      }
    }
  }
  all.findings.push_back(lower_distance(
      study, "MLD outperforms SGRLD by a substantial margin along the first dimension.",
      "paper, section 5.1, figure 1a", {first_width, first_probability}));
  all.findings.push_back(lower_distance(study, "MLD outperforms SGRLD along the eighth dimension.",
                                        "paper, appendix H.1, figure 2a",
                                        {eighth_width, eighth_probability}));
  all.findings.push_back(stronger_on_eighth(study));
  all.findings.push_back(rate(study, all.slopes, "mld",
                              "All MLD curves decay at the rate T^-1/2 until they saturate.",
                              "are power laws with exponent -1/2 before they saturate",
                              [](const SlopeFit* fit) { return fit && is_inverse_root(*fit); }));
  all.findings.push_back(rate(study, all.slopes, "sgrld",
                              "No clear convergence rate can be inferred for SGRLD.",
                              "are no power law before they saturate",
                              [](const SlopeFit* fit) { return !fit || !is_power_law(*fit); }));
  all.findings.push_back(binning(study));
  all.findings.push_back(one_step_size(study));
  all.findings.push_back(our_coordinates(study));
  all.findings.push_back(other_samplers(study));
  return all;
}

}  // namespace tain
