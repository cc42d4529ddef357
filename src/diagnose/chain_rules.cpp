// Rules on single chains.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/finding.hpp"

namespace tain::diagnostics {
namespace {

template <class Entry>
std::vector<std::size_t> chains_of(const std::vector<Entry>& entries) {
  std::vector<std::size_t> chains;
  for (const Entry& entry : entries) {
    chains.push_back(entry.chain);
  }
  const auto repeated = std::ranges::unique(chains);
  chains.erase(repeated.begin(), repeated.end());
  return chains;
}

void judge_still(Findings& all, const Judged& run) {
  if (const auto& frozen = run.odd.frozen; !frozen.empty()) {
    all.push_back(
        {State::failed,
         frozen.size() == run.chains
             ? std::string(run.chains == 1 ? "the chain never moved" : "no chain ever moved")
             : fmt::format("{} never moved", chains_text(chains_of(frozen))),
         "all draws of such a chain are one point: begin elsewhere, or use a smaller step size"});
  }
  if (const auto& stuck = run.odd.stuck; !stuck.empty()) {
    const OddChains::Still& longest =
        *std::ranges::max_element(stuck, {}, &OddChains::Still::draws);
    all.push_back({State::failed,
                   fmt::format("{} stood still for long (chain {} from draw {} to {})",
                               chains_text(chains_of(stuck)), longest.chain + 1, longest.first + 1,
                               longest.first + longest.draws),
                   "there the kernel accepts nothing: use a smaller step size or a higher target "
                   "acceptance"});
  }
}

void judge_copies(Findings& all, const Judged& run) {
  if (const auto& copies = run.odd.copies; !copies.empty()) {
    all.push_back(
        {State::failed,
         fmt::format("{} bit for bit the draws of {} (chain {} those of chain {})",
                     chains_text(chains_of(copies)) + (copies.size() == 1 ? " has" : " have"),
                     copies.size() == 1 ? "another" : "others", copies[0].chain + 1,
                     copies[0].original + 1),
         "copies tell nothing new: give every chain its own seed, and every file once"});
  }
}

void judge_held(Findings& all, const Judged& run) {
  if (const auto& held = run.odd.held; !held.empty()) {
    const auto chains = chains_of(held);
    all.push_back({State::failed,
                   fmt::format("{} never moved in {}, where others do", chains_text(chains),
                               run.rows[held[0].coordinate].name +
                                   (held.size() > chains.size() ? " and other coordinates" : "")),
                   "it cannot reach all of the space: begin elsewhere, and check that the kernel "
                   "moves every coordinate"});
  }
}

void judge_apart(Findings& all, const Judged& run) {
  if (const auto& apart = run.odd.apart; !apart.empty()) {
    const auto farthest = std::ranges::max_element(
        apart, {}, [](const OddChains::Apart& a) { return std::abs(a.distance); });
    const std::string& name = run.rows[farthest->coordinate].name;
    all.push_back(
        {State::failed,
         fmt::format("{} {} apart from the others ({} in chain {}: {})",
                     chains_text(chains_of(apart)), apart.size() == 1 ? "stays" : "stay", name,
                     farthest->chain + 1,
                     farthest->distance != 0
                         ? fmt::format("its mean is {:.1f} sd away", std::abs(farthest->distance))
                         : std::string("another spread")),
         "either others do not come there or it cannot leave: run longer; if it stays, look for "
         "several modes, and try other coordinates or another kernel"});
  }
}

}  // namespace

void judge_chains(Findings& all, const Judged& run) {
  if (std::ranges::all_of(run.rows, [](const SummaryRow& row) { return row.sd == 0; })) {
    return;  // said already
  }
  judge_still(all, run);
  judge_copies(all, run);
  judge_held(all, run);
  judge_apart(all, run);
}

}  // namespace tain::diagnostics
