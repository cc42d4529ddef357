#include "reproduce/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/text.hpp"
#include "reproduce/comparison.hpp"

namespace tain {
namespace {

std::string with_error(const Lowest& low) {
  return fmt::format("{:.4f} ± {:.4f}", low.distance, low.error);
}

std::string lead_sentence(const Curves& mld, const Curves& sgrld, std::size_t marginal) {
  const auto last = last_clear_lead(sgrld, mld, marginal);
  if (!last) {
    return "At no iteration is SGRLD clearly the lower one.";
  }
  return fmt::format("SGRLD is clearly the lower one as late as iteration {}.", grouped(*last));
}

/// How much lower MLD ends, for one marginal.
std::string margin(const SyntheticStudy& study, const Curves& mld, const Curves& sgrld,
                   std::size_t marginal) {
  const Lowest a = lowest(mld, marginal), b = lowest(sgrld, marginal);
  const double ratio = b.distance / a.distance;
  return fmt::format(
      "After {} iterations, {}, {} bins: best MLD {} (step {}), best SGRLD {} (step "
      "{}): MLD is {}. {}",
      grouped(a.curve->points.back().iteration), coordinate_name(study.marginals[marginal]),
      study.marginals[marginal].binning, with_error(a), number(a.curve->key.step_size),
      with_error(b), number(b.curve->key.step_size),
      clearly_lower(a, b)   ? fmt::format("{} times lower", number(ratio))
      : clearly_lower(b, a) ? fmt::format("{} times higher", number(1 / ratio))
                            : "neither lower nor higher beyond the errors",
      lead_sentence(mld, sgrld, marginal));
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
    leads_always &= !last_clear_lead(sgrld, mld, m);
  };
  const Curves mld = curves_of(study.best, "mld", "last"),
               sgrld = curves_of(study.best, "sgrld", "");
  for (const std::size_t m : marginals) {
    finding.sentences.push_back(margin(study, mld, sgrld, m));
    ask(mld, sgrld, m);
  }
  for (std::size_t s = 1; s < study.starts.size(); ++s) {
    const StudyStart& start = study.starts[s];
    const Curves from_there = ranked(study.grid, "mld", "last", start.name);
    const Curves others = ranked(study.grid, "sgrld", "", start.name);
    for (const std::size_t m : marginals) {
      finding.sentences.push_back(fmt::format("From the {} ({}; {} chains): {}", start.name,
                                              start.description, grouped(study.plan.grid_chains),
                                              margin(study, from_there, others, m)));
      ask(from_there, others, m);
    }
  }
  finding.holds = confirmed == asked ? Holds::yes : confirmed > 0 ? Holds::partly : Holds::no;
  finding.sentences.insert(
      finding.sentences.begin(),
      fmt::format(
          "Of {} comparisons (starts and binnings) MLD ends clearly lower in {} and clearly "
          "higher in {}{}; on the way SGRLD is {}.",
          asked, confirmed, denied,
          confirmed + denied < asked ? ", the others lie within the errors" : "",
          leads_always ? "never clearly lower" : "clearly lower at some iterations"));
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
                     curve_name(study, fit.key, fit.marginal), fit.slope, fit.error,
                     grouped(fit.first), grouped(fit.last), fit.looks, fit.r_squared);
}

/// All: holds; at least half: in part.
Holds from_count(std::size_t yes, std::size_t all) {
  return yes == all ? Holds::yes : 2 * yes >= all ? Holds::partly : Holds::no;
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
  const Curves mld = curves_of(study.best, "mld", "last"),
               sgrld = curves_of(study.best, "sgrld", "");
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

}  // namespace

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
  std::ranges::move(questions(study), std::back_inserter(all.findings));
  return all;
}

}  // namespace tain
