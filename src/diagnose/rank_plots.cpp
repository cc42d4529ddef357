#include "diagnose/rank_plots.hpp"

#include <algorithm>
#include <cmath>

#include "diagnose/order.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// log k! for k up to n.
class LogFactorials {
 public:
  explicit LogFactorials(std::size_t n) : values_(n + 1, 0.0) {
    for (std::size_t k = 2; k <= n; ++k) {
      values_[k] = values_[k - 1] + std::log(static_cast<double>(k));
    }
  }
  double choose(std::size_t n, std::size_t k) const {
    return values_[n] - values_[k] - values_[n - k];
  }

 private:
  std::vector<double> values_;
};

/// Counts of one chain of N among all S draws, from point to point.
class RankWalk {
 public:
  RankWalk(std::size_t chains, std::size_t draws, std::size_t points)
      : draws_(draws), all_(chains * draws), log_factorial_(all_), taken_(points + 1) {
    for (std::size_t k = 0; k <= points; ++k) {
      taken_[k] = k * all_ / points;
    }
  }
  std::size_t points() const { return taken_.size() - 1; }
  /// m_k: how many of all draws lie at or below point k.
  std::size_t taken(std::size_t k) const { return taken_[k]; }

  /// P(count at point k = x).
  double probability(std::size_t k, std::size_t x) const {
    return step(all_, draws_, taken_[k], x);
  }
  /// P(count at point k+1 = to | count at point k = from).
  double transition(std::size_t k, std::size_t from, std::size_t to) const {
    return step(all_ - taken_[k], draws_ - from, taken_[k + 1] - taken_[k], to - from);
  }

 private:
  /// Hypergeometric: x of `marked` among `drawn` out of `total`.
  double step(std::size_t total, std::size_t marked, std::size_t drawn, std::size_t x) const {
    if (x > marked || x > drawn || drawn - x > total - marked) {
      return 0;
    }
    return std::exp(log_factorial_.choose(marked, x) +
                    log_factorial_.choose(total - marked, drawn - x) -
                    log_factorial_.choose(total, drawn));
  }

  std::size_t draws_, all_;
  LogFactorials log_factorial_;
  std::vector<std::size_t> taken_;
};

struct CountBounds {
  std::vector<std::size_t> low, high;  // at points 1 to K - 1
};

/// Central intervals: each tail that is cut off has at most probability `tail`.
CountBounds central_counts(const RankWalk& walk, std::size_t draws, double tail) {
  CountBounds bounds;
  for (std::size_t k = 1; k < walk.points(); ++k) {
    std::size_t low = 0, high = draws;
    for (double below = walk.probability(k, low); below <= tail && low < draws;) {
      below += walk.probability(k, ++low);
    }
    for (double above = walk.probability(k, high); above <= tail && high > low;) {
      above += walk.probability(k, --high);
    }
    bounds.low.push_back(low);
    bounds.high.push_back(high);
  }
  return bounds;
}

/// P(a chain is inside at all points).
double inside(const RankWalk& walk, const CountBounds& bounds) {
  std::vector<double> now = {1.0}, next;
  std::size_t first = 0;  // count that now[0] stands for
  for (std::size_t k = 0; k + 1 < walk.points(); ++k) {
    const std::size_t low = bounds.low[k], high = bounds.high[k];
    next.assign(high - low + 1, 0.0);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] < 1e-15) {
        continue;
      }
      for (std::size_t to = std::max(low, first + i); to <= high; ++to) {
        next[to - low] += now[i] * walk.transition(k, first + i, to);
      }
    }
    now.swap(next);
    first = low;
  }
  double sum = 0;
  for (const double p : now) {
    sum += p;
  }
  return sum;
}

}  // namespace

std::vector<double> ranks(const Series& s) {
  diagnostics::Sorter sorter;
  const auto ascending = sorter.sort(s.values);
  std::vector<double> result(s.values.size());
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t end = i + 1;
    while (end < ascending.size() && ascending[end].value == ascending[i].value) {
      ++end;
    }
    const double mean = 0.5 * static_cast<double>(i + 1 + end);
    for (; i < end; ++i) {
      result[ascending[i].place] = mean;
    }
  }
  return result;
}

std::vector<double> rank_counts(std::span<const double> ranks, std::size_t chains,
                                std::size_t bins) {
  TAIN_EXPECTS(chains > 0 && bins > 0 && ranks.size() % chains == 0, "ranks of another shape");
  const std::size_t draws = ranks.size() / chains;
  const auto all = static_cast<double>(ranks.size()), wanted = static_cast<double>(bins);
  std::vector<double> counts(chains * bins, 0.0);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    // Upper ends of bins belong to them; the product is exact, and so is the quotient there.
    const auto bin = static_cast<std::size_t>(std::ceil(ranks[i] * wanted / all)) - 1;
    counts[i / draws * bins + bin] += 1;
  }
  return counts;
}

std::vector<double> rank_ecdf_differences(std::span<const double> ranks, std::size_t chains,
                                          std::size_t points) {
  TAIN_EXPECTS(chains > 0 && points > 1 && ranks.size() % chains == 0, "ranks of another shape");
  const std::size_t draws = ranks.size() / chains;
  std::vector<double> result;
  result.reserve(chains * (points - 1));
  std::vector<double> own(draws);
  for (std::size_t chain = 0; chain < chains; ++chain) {
    std::ranges::copy(ranks.subspan(chain * draws, draws), own.begin());
    std::ranges::sort(own);
    std::size_t count = 0;
    for (std::size_t k = 1; k < points; ++k) {
      const auto bound = static_cast<double>(k * ranks.size() / points);
      while (count < draws && own[count] <= bound) {
        ++count;
      }
      result.push_back(static_cast<double>(count) / static_cast<double>(draws) -
                       bound / static_cast<double>(ranks.size()));
    }
  }
  return result;
}

RankBand rank_band(std::size_t chains, std::size_t draws, std::size_t points, double confidence) {
  TAIN_EXPECTS(chains > 1 && draws > 0 && points > 1, "a band needs two chains and two points");
  // Among a thousand chains or more, one is drawn as if from all the world.
  const std::size_t of_chains = std::min<std::size_t>(chains, 1024);
  const std::size_t of_draws = std::min(draws, exact_draws);
  const RankWalk walk(of_chains, of_draws, points);
  const double alarm = (1 - confidence) / (chains == 2 ? 1.0 : static_cast<double>(chains));
  // The widest tail whose bounds keep their promise: bisection of its logarithm. Cutting off
  // nothing at all always does.
  double safe = std::log(alarm / static_cast<double>(2 * points)), wide = std::log(alarm / 2);
  CountBounds best = central_counts(walk, of_draws, std::exp(safe));
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = 0.5 * (safe + wide);
    const CountBounds bounds = central_counts(walk, of_draws, std::exp(middle));
    if (1 - inside(walk, bounds) <= alarm) {
      safe = middle;
      best = bounds;
    } else {
      wide = middle;
    }
  }
  const double shrink = std::sqrt(static_cast<double>(of_draws) / static_cast<double>(draws));
  const auto n = static_cast<double>(of_draws);
  RankBand band;
  for (std::size_t k = 1; k < points; ++k) {
    const double z = static_cast<double>(walk.taken(k)) / (n * static_cast<double>(of_chains));
    band.low.push_back(shrink * (static_cast<double>(best.low[k - 1]) / n - z));
    band.high.push_back(shrink * (static_cast<double>(best.high[k - 1]) / n - z));
  }
  return band;
}

}  // namespace tain
