#include "tain/diagnose/summary.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/parallel.hpp"
#include "diagnose/analysis.hpp"
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
  row.mcse_mean = analysis.mcse_mean();
  row.ess_bulk = analysis.ess_bulk();
  row.ess_tail = analysis.ess_tail();
  row.rhat = analysis.rhat();
  return row;
}

// Coordinates per tile: a cache line of them, or fewer where that leaves threads without work.
std::size_t tile_width(std::size_t dim, std::size_t num_threads) {
  constexpr std::size_t cache_line = alignment / sizeof(double);
  return std::clamp<std::size_t>(dim / (4 * num_threads), 1, cache_line);
}

}  // namespace

std::vector<SummaryRow> summarise(std::span<const double> values, std::size_t chains,
                                  std::size_t draws, const std::vector<std::string>& names,
                                  Threads& threads) {
  const std::size_t dim = names.size(), pairs = chains * draws;
  TAIN_EXPECTS(values.size() == pairs * dim, "draws of another shape");
  std::vector<SummaryRow> rows(dim);
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
      rows[first + i] = row_of(names[first + i], series, bench->analysis);
    }
    benches.give_back(std::move(bench));
  });
  return rows;
}

}  // namespace tain
