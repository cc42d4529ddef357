// Rules on what is known besides the draws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnose/finding.hpp"

namespace tain::diagnostics {
namespace {

Finding judge_divergences(std::uint64_t divergences, std::uint64_t total, std::uint64_t thin) {
  if (divergences == 0) {
    return {State::passed, "no divergences", "no step left the region where it is accurate"};
  }
  const std::string fact =
      thin > 1 ? fmt::format("{} in {} of {} steps each",
                             plural(divergences, "divergence", "divergences"),
                             plural(total, "draw", "draws"), thin)
               : fmt::format("{} of {} diverged ({})", divergences, plural(total, "draw", "draws"),
                             percent(divergences, total));
  if (static_cast<double>(divergences) <=
      divergence_gate * static_cast<double>(total) * static_cast<double>(thin)) {
    return {State::note, fact,
            "so few are those of a steep wall rather than of a region that is missing: a higher "
            "target acceptance would show"};
  }
  return {State::failed, fact,
          "regions the steps are too long for are missing: raise the target acceptance or use a "
          "smaller step size"};
}

Finding judge_bias(double indicator) {
  if (indicator >= bias_gate) {
    return {State::passed,
            fmt::format("the unadjusted kernel's proposals would have had a mean Metropolis "
                        "acceptance of {}",
                        beside(indicator, bias_gate, 3)),
            fmt::format("at least {}: its bias is small", bias_gate)};
  }
  // What is refused falls as the step to 3/2.
  const double smaller = std::pow((1 - indicator) / (1 - bias_gate), 2.0 / 3);
  return {State::failed,
          fmt::format("the unadjusted kernel is biased: the mean Metropolis acceptance its "
                      "proposals would have had is {} < {}",
                      beside(indicator, bias_gate, 2), bias_gate),
          fmt::format("use a step size {} times smaller, or the kernel mala or hmc",
                      smaller > 2 ? fmt::format("{:.0f}", std::ceil(smaller)) : std::string("2"))};
}

std::string mass_text(const FoundMode& mode) {
  std::string text = mode.mass ? fmt::format("about {:.2g} % of the mass", 100 * *mode.mass)
                               : std::string("mass not known");
  return mode.chains > 0 ? fmt::format("{}, {:.2g} % of the draws", text, 100 * mode.draws) : text;
}

// "3 chains at x[1] = 0.2, about 60 % of the mass; 1 chain at ..."
std::string modes_text(const std::vector<const FoundMode*>& modes) {
  constexpr std::size_t named = 3;
  std::string text;
  for (std::size_t m = 0; m < std::min(named, modes.size()); ++m) {
    const FoundMode& mode = *modes[m];
    text += fmt::format("{}{} at {}", m == 0 ? "" : "; ", plural(mode.chains, "chain", "chains"),
                        mode.where);
    if (mode.mass) {
      text += fmt::format(", about {:.2g} % of the mass", 100 * *mode.mass);
    }
  }
  return modes.size() > named ? text + "; ..." : text;
}

constexpr const char* apart =
    "no kernel here goes between them: bound the set to one mode after the other and weigh the "
    "runs by their masses, or choose coordinates in which they are near";

// A few draws at the side of another mode count as there: a quarter of the mass is asked for, which
// the error of the mass and that of the draws leave.
bool is_missed(const FoundMode& mode) {
  if (!mode.mass) {
    return mode.draws < least_mode_mass;
  }
  return mode.draws < *mode.mass / 4 &&
         (*mode.mass >= least_mode_mass || mode.shift.value_or(0.0) >= least_mode_shift);
}

Finding judge_modes(const Judged& run) {
  const std::vector<FoundMode>& modes = run.facts.modes;
  std::vector<const FoundMode*> missed, visited;
  std::size_t visits = 0;
  for (const FoundMode& mode : modes) {
    if (is_missed(mode)) {
      missed.push_back(&mode);
    } else if (mode.chains > 0) {
      visited.push_back(&mode);
      visits += mode.chains;
    }
  }
  const bool one = missed.size() == 1;
  if (!missed.empty()) {
    const FoundMode& largest = **std::ranges::max_element(
        missed, {}, [](const FoundMode* mode) { return mode->mass.value_or(1.0); });
    return {State::failed,
            fmt::format("the draws miss {} that {} found (at {}, {})",
                        one ? std::string("a mode") : fmt::format("{} modes", missed.size()),
                        one ? "was" : "were", largest.where, mass_text(largest)),
            apart};
  }
  if (visited.size() > 1 && visits <= run.chains) {  // every chain has one
    return {State::failed,
            fmt::format("the chains stay in different modes, {} of them ({})", visited.size(),
                        modes_text(visited)),
            fmt::format("the shares of the modes in the draws are those of the starts, not of the "
                        "target: {}",
                        apart)};
  }
  if (visited.size() > 1) {
    const double ess = ess_gate(run.chains);
    const bool agree = std::ranges::all_of(run.rows, [&](const SummaryRow& row) {
      return row.sd == 0 || (converged(row) && row.ess_bulk >= ess && row.ess_tail >= ess);
    });
    return {agree ? State::passed : State::failed,
            fmt::format("{} modes were found{}", visited.size(),
                        agree ? "" : ", and chains go between them too rarely"),
            agree ? "chains go between them"
                  : "their shares are not known yet: run longer, or try other coordinates or "
                    "another kernel"};
  }
  if (modes.size() > 1) {
    return {State::passed, fmt::format("{} modes were found", modes.size()),
            "the draws visit one, the others are too light to matter"};
  }
  return {State::passed, "a search found one mode", "the draws visit it"};
}

Finding judge_unvisited(const FoundMass& part) {
  return {State::failed,
          fmt::format("about {:.2g} % of the mass lies {}, where {:.2g} % of the draws are",
                      100 * part.mass, part.where, 100 * part.draws),
          "chains hardly go there: run longer with smaller steps (a higher target acceptance), or "
          "try the kernel hmc or other coordinates"};
}

// Is that chance, of draws that are worth as few as the least of their effective sizes?
bool is_unvisited(const FoundMass& part, const Judged& run) {
  constexpr double errors = 3;
  double ess = std::numeric_limits<double>::infinity();
  for (const SummaryRow& row : run.rows) {
    if (row.sd > 0) {
      ess = std::min({ess, row.ess_bulk, row.ess_tail});
    }
  }
  return part.mass - part.draws > errors * std::sqrt(part.mass * (1 - part.mass) / ess);
}

}  // namespace

void judge_target(Findings& all, const Judged& run) {
  const RunFacts& facts = run.facts;
  if (!facts.improper.empty()) {
    all.push_back({State::failed,
                   fmt::format("the draws run to where numbers end: {}", facts.improper),
                   "it has no finite integral: check its sign and its prior, or bound the set"});
  }
  if (!facts.modes.empty()) {
    all.push_back(judge_modes(run));
  }
  if (facts.unvisited && is_unvisited(*facts.unvisited, run)) {
    all.push_back(judge_unvisited(*facts.unvisited));
  }
  if (facts.one_start) {
    all.push_back(
        {State::note, "all chains began at one place", "what lies elsewhere goes unnoticed"});
  }
  if (!facts.sign_note.empty()) {
    all.push_back({State::note, facts.sign_note, "check the sign of the function"});
  }
}

void judge_steps(Findings& all, const Judged& run) {
  const RunFacts& facts = run.facts;
  if (facts.divergences) {
    all.push_back(judge_divergences(*facts.divergences,
                                    std::max<std::uint64_t>(facts.total_draws, 1), facts.thin));
  }
  if (facts.bias_indicator) {
    all.push_back(judge_bias(*facts.bias_indicator));
  }
  if (facts.bias_unknown) {
    all.push_back({State::failed,
                   "the kernel is biased by its step size, and nothing in the run tells how much",
                   "compare with a run at half the step size, or use the kernel mala or hmc"});
  }
}

void tell_unjudged(Findings& all, const Judged& run) {
  std::vector<std::string_view> missing;
  if (!run.facts.divergences) {
    missing.emplace_back("divergences");
  }
  if (run.facts.adjusted_unknown) {
    missing.emplace_back("the bias of the kernel");
  }
  if (run.facts.foreign && !missing.empty()) {
    all.push_back(
        {State::note, fmt::format("not judged: {}", fmt::join(missing, ", ")),
         fmt::format("the draws do not tell of {}", missing.size() == 1 ? "that" : "them")});
  }
}

}  // namespace tain::diagnostics
