#include "tain/diagnose/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "core/parallel.hpp"
#include "diagnose/analysis.hpp"
#include "diagnose/movement.hpp"
#include "diagnose/tail.hpp"
#include "draws/draws_file.hpp"
#include "tain/core/block.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

// What one thread needs for a tile of coordinates.
struct Bench {
  std::vector<double> series;
  diagnostics::Analysis analysis;
};

// Benches that wait for the next tile, so that memory is taken once per thread.
class Benches {
 public:
  std::unique_ptr<Bench> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      return std::make_unique<Bench>();
    }
    std::unique_ptr<Bench> bench = std::move(idle_.back());
    idle_.pop_back();
    return bench;
  }
  void give_back(std::unique_ptr<Bench> bench) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(bench));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Bench>> idle_;
};

SummaryRow row_of(const std::string& name, const Series& series, diagnostics::Analysis& analysis) {
  analysis.load(series);
  SummaryRow row;
  row.name = name;
  row.mean = analysis.mean();
  row.sd = analysis.sd();
  row.q5 = analysis.quantile(0.05);
  row.q50 = analysis.quantile(0.5);
  row.q95 = analysis.quantile(0.95);
  row.pareto_k = analysis.pareto_k();
  row.mcse_mean = row.pareto_k > diagnostics::pareto_k_gate(series.values.size())
                      ? std::numeric_limits<double>::quiet_NaN()
                      : analysis.mcse_mean();
  row.ess_bulk = analysis.ess_bulk();
  row.ess_tail = analysis.ess_tail();
  row.rhat = analysis.rhat();
  return row;
}

// Do chains come to an end that their steps are too long for?
double end_acceptance(diagnostics::Analysis& analysis, std::span<const double> acceptance) {
  constexpr std::size_t fewest = 1000;
  constexpr double end = 0.05;
  if (acceptance.size() < fewest) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  double sum = 0;
  for (const double a : acceptance) {
    sum += a;
  }
  return analysis.lesser_end(acceptance, end) / (sum / static_cast<double>(acceptance.size()));
}

// False alarms per run, which coordinates and chains share.
constexpr double run_level = 1e-3;

// Many short chains: do they remember where they began, do they move on together?
void compare_groups(SummaryRow& row, const diagnostics::Analysis& analysis, std::size_t dim) {
  constexpr double least_drift = 0.05;
  const double scales = 2;
  for (const auto* moments : {&analysis.bulk_moments(), &analysis.folded_moments()}) {
    if (moments->late.size() < diagnostics::fewest_for_nested) {
      continue;
    }
    const double nested = diagnostics::nested_rhat(*moments);
    row.nested_rhat = std::isnan(row.nested_rhat) ? nested : std::max(row.nested_rhat, nested);
    const auto [effect, p] = diagnostics::drift(*moments);
    if (p * scales * static_cast<double>(dim) < run_level && std::abs(effect) > least_drift &&
        std::abs(effect) > std::abs(row.drift)) {
      row.drift = effect;
    }
  }
}

// What is odd in one coordinate: chains that are held, chains that are elsewhere.
struct OddHere {
  std::vector<std::size_t> held;
  struct Apart {
    std::size_t chain = 0;
    double distance = 0, p = 1;
  };
  std::vector<Apart> apart;
};

// Neither chance explains them: that a coordinate stays from draw to draw as often as in chains
// that move, nor that it has one value, which others have too (tiny numbers underflow to one), in
// all of ess draws that are as good as independent: share^ess.
std::vector<std::size_t> held_chains(const Series& s, double ess, std::size_t dim) {
  std::vector<std::size_t> held;
  std::vector<bool> moves(s.chains);
  for (std::size_t chain = 0; chain < s.chains; ++chain) {
    const std::span<const double> own = s.values.subspan(chain * s.draws, s.draws);
    moves[chain] = std::ranges::any_of(own, [&](double v) { return v != own.front(); });
    if (!moves[chain]) {
      held.push_back(chain);
    }
  }
  if (held.empty() || held.size() == s.chains) {
    return {};
  }
  const double each = std::max(1.0, ess / static_cast<double>(s.chains));
  const double level =
      std::log(run_level / (static_cast<double>(s.chains) * static_cast<double>(dim)));
  double stays = 1, transitions = 2;  // of chains that move
  for (std::size_t chain = 0; chain < s.chains; ++chain) {
    if (moves[chain]) {
      const std::span<const double> own = s.values.subspan(chain * s.draws, s.draws);
      for (std::size_t draw = 1; draw < s.draws; ++draw) {
        stays += own[draw] == own[draw - 1] ? 1 : 0;
      }
      transitions += static_cast<double>(s.draws - 1);
    }
  }
  if (static_cast<double>(s.draws - 1) * std::log(stays / transitions) > level) {
    return {};
  }
  std::map<double, double> log_share;  // of values of held chains
  std::erase_if(held, [&](std::size_t chain) {
    const double value = s.values[chain * s.draws];
    const auto [known, is_new] = log_share.try_emplace(value, 0.0);
    if (is_new) {
      double same = 1, all = 2;
      for (std::size_t other = 0; other < s.chains; ++other) {
        if (moves[other]) {
          same += static_cast<double>(
              std::ranges::count(s.values.subspan(other * s.draws, s.draws), value));
          all += static_cast<double>(s.draws);
        }
      }
      known->second = std::log(same / all);
    }
    return each * known->second > level;
  });
  return held;
}

// Chains that lie elsewhere. One that visited a rare place for long is far by its mean, and yet
// right. So most draws of a chain that is apart are on one side, and either nearly all of them lie
// where hardly another chain came or, where chains are worth `fewest` independent draws each, both
// its halves are far: no single visit does all that.
class ChainsApart {
 public:
  ChainsApart(const Series& s, diagnostics::Analysis& analysis, std::size_t dim)
      : series_(s), analysis_(analysis), bulk_(analysis.bulk_moments()) {
    const auto chains = static_cast<double>(std::max<std::size_t>(s.chains, 1));
    level_ = run_level / (statistics * static_cast<double>(dim) * chains);
  }

  std::vector<OddHere::Apart> find() {
    by_place();
    by_folded();
    by_spread();
    return std::move(apart_);
  }

 private:
  static constexpr double statistics = 3, fewest = 40, least_distance = 0.5;
  static constexpr double most_visitors = 0.01, nearly_none = 0.1, few = 0.25;

  struct Extent {
    double low = 0, high = 0;
  };

  void by_place() {
    const auto far = diagnostics::far_chains(bulk_.mean, level_, 1.0);
    if (far.empty()) {
      return;
    }
    const bool surely = !diagnostics::far_chains(bulk_.mean, level_, 1 / std::sqrt(fewest)).empty();
    const std::vector<Extent> others = extents_without(far);
    const double median = analysis_.quantile(0.5);
    for (const auto& [chain, distance, p] : far) {
      const bool up = distance > 0;
      const double side = quantile_of_chain(chain, up ? few : 1 - few),
                   end = quantile_of_chain(chain, up ? nearly_none : 1 - nearly_none);
      if (up ? side <= median : side >= median) {
        continue;
      }
      const auto visitors = std::ranges::count_if(
          others, [&](const Extent& other) { return up ? other.high >= end : other.low <= end; });
      const bool alone =
          static_cast<double>(visitors) <= most_visitors * static_cast<double>(series_.chains);
      if (alone || (surely && both_halves(bulk_, chain, distance))) {
        apart_.push_back({chain, distance, p});
      }
    }
  }

  void by_folded() {
    const diagnostics::ChainMoments& folded = analysis_.folded_moments();
    const auto far = diagnostics::far_chains(folded.mean, level_, 1 / std::sqrt(fewest));
    const Extent middle{analysis_.quantile(few), analysis_.quantile(1 - few)};
    for (const auto& [chain, distance, p] : far) {
      const auto own = values_of(chain);
      const auto within = static_cast<double>(std::ranges::count_if(
          own, [&](double v) { return v >= middle.low && v <= middle.high; }));
      const double inside = within / static_cast<double>(own.size());
      if ((distance > 0 ? inside < few : inside > 1 - few) &&
          both_halves(folded, chain, distance)) {
        apart_.push_back({chain, 0, p});
      }
    }
  }

  // Narrow ones: the cube root of a variance is nearly normal (Wilson and Hilferty 1931).
  void by_spread() {
    constexpr double most_ratio = 0.25;
    std::vector<double> roots(bulk_.variance.size());
    std::ranges::transform(bulk_.variance, roots.begin(), [](double v) { return std::cbrt(v); });
    for (const auto& [chain, distance, p] :
         diagnostics::far_chains(roots, level_, std::sqrt(2 / (9 * fewest)))) {
      if (std::pow(roots[chain] / (roots[chain] - distance), 3) < most_ratio) {
        apart_.push_back({chain, 0, p});
      }
    }
  }

  static bool both_halves(const diagnostics::ChainMoments& moments, std::size_t chain,
                          double distance) {
    const double median = moments.mean[chain] - distance, side = std::copysign(1.0, distance);
    const double late = moments.late[chain], first = 2 * moments.mean[chain] - late;
    return side * (first - median) > least_distance && side * (late - median) > least_distance;
  }

  double quantile_of_chain(std::size_t chain, double share) const {
    const std::span<const double> own = values_of(chain);
    std::vector<double> work(own.begin(), own.end());
    const auto place =
        work.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(work.size() - 1));
    std::ranges::nth_element(work, place);
    return *place;
  }

  std::vector<Extent> extents_without(const std::vector<diagnostics::FarChain>& far) const {
    std::vector<Extent> extents;
    auto next = far.begin();
    for (std::size_t chain = 0; chain < series_.chains; ++chain) {
      if (next != far.end() && next->chain == chain) {
        ++next;
        continue;
      }
      const auto [low, high] = std::ranges::minmax(values_of(chain));
      extents.push_back({low, high});
    }
    return extents;
  }

  std::span<const double> values_of(std::size_t chain) const {
    return series_.values.subspan(chain * series_.draws, series_.draws);
  }

  Series series_;
  diagnostics::Analysis& analysis_;
  const diagnostics::ChainMoments& bulk_;
  double level_ = 0;
  std::vector<OddHere::Apart> apart_;
};

// Chains by chain, each apart one with the coordinate that shows it most.
void gather(OddChains& odd, const std::vector<OddHere>& here, std::size_t chains) {
  std::vector<bool> still(chains);
  for (const auto* list : {&odd.frozen, &odd.stuck}) {
    for (const OddChains::Still& entry : *list) {
      still[entry.chain] = true;
    }
  }
  std::vector<double> least(chains, 2.0);
  std::vector<OddChains::Apart> apart(chains);
  for (std::size_t i = 0; i < here.size(); ++i) {
    for (const std::size_t chain : here[i].held) {
      odd.held.push_back({chain, i});
    }
    for (const auto& [chain, distance, p] : here[i].apart) {
      if (p < least[chain]) {
        least[chain] = p;
        apart[chain] = {chain, i, distance};
      }
    }
  }
  std::ranges::stable_sort(odd.held, {}, &OddChains::Held::chain);
  std::erase_if(odd.held, [&](const OddChains::Held& h) { return still[h.chain]; });
  for (std::size_t chain = 0; chain < chains; ++chain) {
    if (least[chain] < 2 && !still[chain]) {
      odd.apart.push_back(apart[chain]);
    }
  }
}

// Coordinates per tile: a cache line of them, or fewer where that leaves threads without work.
std::size_t tile_width(std::size_t dim, std::size_t num_threads) {
  constexpr std::size_t cache_line = alignment / sizeof(double);
  return std::clamp<std::size_t>(dim / (4 * num_threads), 1, cache_line);
}

}  // namespace

Summary summarise(std::span<const double> values, std::size_t chains, std::size_t draws,
                  const std::vector<std::string>& names, Threads& threads,
                  std::span<const double> acceptance) {
  require_shape({.chains = chains,
                 .draws = draws,
                 .names = names,
                 .values = values,
                 .acceptance = acceptance});
  const std::size_t dim = names.size(), pairs = chains * draws;
  Summary summary;
  summary.rows.resize(dim);
  std::vector<OddHere> here(dim);
  const std::size_t width = tile_width(dim, threads.count());
  Benches benches;
  threads.for_each((dim + width - 1) / width, [&](std::size_t tile) {
    const std::size_t first = tile * width, count = std::min(width, dim - first);
    std::unique_ptr<Bench> bench = benches.take();
    bench->series.resize(count * pairs);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      for (std::size_t i = 0; i < count; ++i) {
        bench->series[i * pairs + pair] = values[pair * dim + first + i];
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Series series{std::span(bench->series).subspan(i * pairs, pairs), chains, draws};
      SummaryRow& row = summary.rows[first + i];
      row = row_of(names[first + i], series, bench->analysis);
      row.end_acceptance = end_acceptance(bench->analysis, acceptance);
      compare_groups(row, bench->analysis, dim);
      if (std::isfinite(row.ess_bulk)) {
        here[first + i] = {held_chains(series, row.ess_bulk, dim),
                           ChainsApart(series, bench->analysis, dim).find()};
      }
    }
    benches.give_back(std::move(bench));
  });
  diagnostics::find_still_and_copies(summary.odd, values, chains, draws, dim, threads);
  gather(summary.odd, here, chains);
  return summary;
}

}  // namespace tain
