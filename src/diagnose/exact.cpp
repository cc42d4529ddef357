#include "tain/diagnose/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/special.hpp"
#include "diagnose/convergence.hpp"
#include "draws/draws_file.hpp"

namespace tain {
namespace {

/// Values of one coordinate, chain-major.
std::vector<double> column(std::span<const double> values, std::size_t dim, std::size_t i) {
  std::vector<double> result;
  result.reserve(values.size() / dim);
  for (std::size_t at = i; at < values.size(); at += dim) {
    result.push_back(values[at]);
  }
  return result;
}

/// log x, same layout as x: from the dual, where the states are points of it and the map knows
/// better: x itself may have underflowed.
std::vector<double> log_primal(const Draws& draws, const AnyMap& map) {
  constexpr std::size_t lanes = 8 * lane_group;
  const std::size_t n = map.primal_dim(), d = map.dual_dim();
  std::vector<double> result(draws.values.size());
  const std::size_t points = draws.dual_dim == d ? result.size() / n : 0;
  BlockStorage y(d, lanes), log_x(n, lanes);
  Workspace ws;
  bool known = false;
  for (std::size_t first = 0; first < points; first += lanes) {
    const std::size_t count = std::min(lanes, points - first);
    for (std::size_t l = 0; l < count; ++l) {
      for (std::size_t j = 0; j < d; ++j) {
        y.view().at(j, l) = draws.dual[(first + l) * d + j];
      }
    }
    known = map.log_primal(y.view(), log_x.view(), ws);
    if (!known) {
      break;
    }
    for (std::size_t l = 0; l < count; ++l) {
      for (std::size_t i = 0; i < n; ++i) {
        result[(first + l) * n + i] = log_x.view().at(i, l);
      }
    }
  }
  if (!known) {
    std::ranges::transform(draws.values, result.begin(), [](double x) { return std::log(x); });
  }
  return result;
}

ExactMoment row(std::string name, double exact, const Series& series, double factor) {
  ExactMoment result{std::move(name), exact};
  double sum = 0;
  for (const double value : series.values) {
    sum += value;
  }
  result.estimate = factor * sum / static_cast<double>(series.values.size());
  result.mcse = mcse_mean(series);
  result.z = (result.estimate - exact) / result.mcse;
  return result;
}

struct Moments {
  std::span<const double> mean, variance;
};

void compare(std::span<const double> values, const Draws& draws, const Moments& exact,
             std::string_view prefix, std::vector<ExactMoment>& rows) {
  const std::vector<std::string>& names = draws.names;
  const std::size_t known = std::max(exact.mean.size(), exact.variance.size());
  for (std::size_t i = 0; i < known; ++i) {
    std::vector<double> x = column(values, names.size(), i);
    const Series series{x, draws.chains, draws.draws};
    const auto count = static_cast<double>(x.size());
    if (!exact.mean.empty()) {
      rows.push_back(row(fmt::format("mean of {}{}", prefix, names[i]), exact.mean[i], series, 1));
    }
    if (!exact.variance.empty()) {
      double centre = 0;
      for (const double value : x) {
        centre += value / count;
      }
      std::ranges::transform(x, x.begin(), [&](double v) { return (v - centre) * (v - centre); });
      rows.push_back(row(fmt::format("variance of {}{}", prefix, names[i]), exact.variance[i],
                         series, count / (count - 1)));
    }
  }
}

}  // namespace

std::vector<ExactMoment> compare_exact(const Draws& draws, const AnyMap& map,
                                       const TargetFacts& facts) {
  require_shape(draws);
  if (draws.names.size() != map.primal_dim()) {
    fail(Fault::config, "draws",
         fmt::format("have {} coordinates, the set has {}", draws.names.size(), map.primal_dim()),
         "give the set that they were drawn on");
  }
  std::vector<ExactMoment> rows;
  compare(draws.values, draws, {facts.mean, facts.variance}, "", rows);
  if (!facts.log_mean.empty() || !facts.log_variance.empty()) {
    compare(log_primal(draws, map), draws, {facts.log_mean, facts.log_variance}, "log ", rows);
  }
  return rows;
}

std::string format_exact(std::vector<ExactMoment> rows, std::size_t max_rows) {
  if (rows.empty()) {
    return "No exact moments are known for this target on this set.\n";
  }
  const auto size = [](const ExactMoment& r) { return std::isnan(r.z) ? INFINITY : std::abs(r.z); };
  const double worst = size(*std::ranges::max_element(rows, {}, size));
  const std::size_t total = rows.size();
  if (total > max_rows) {
    std::ranges::stable_sort(rows, std::greater<>(), size);
    rows.resize(max_rows);
  }
  std::size_t width = 6;
  for (const ExactMoment& r : rows) {
    width = std::max(width, r.name.size());
  }
  std::string text = fmt::format("{:<{}}  {:>12}  {:>12}  {:>10}  {:>6}\n", "moment", width,
                                 "exact", "estimate", "MCSE", "z");
  for (const ExactMoment& r : rows) {
    text += fmt::format("{:<{}}  {:>12.6g}  {:>12.6g}  {:>10.2g}  {:>6.2f}\n", r.name, width,
                        r.exact, r.estimate, r.mcse, r.z);
  }
  if (total > rows.size()) {
    text += fmt::format("({} more, all nearer)\n", total - rows.size());
  }
  // Bonferroni over all comparisons, both sides.
  const double chance = normal_quantile(1 - 0.0005 / static_cast<double>(total));
  return text + fmt::format(
                    "Largest |z| is {:.2f} of {}; correct draws exceed {:.2f} once in 1000 runs.\n",
                    worst, total, chance);
}

}  // namespace tain
