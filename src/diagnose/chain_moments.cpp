#include "diagnose/chain_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/special.hpp"
#include "diagnose/moments.hpp"

namespace tain::diagnostics {
namespace {

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return values.size() % 2 == 1 ? *middle
                                : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

void ChainMoments::clear() {
  for (std::vector<double>* part : {&mean, &variance, &early, &late, &late_variance}) {
    part->clear();
  }
}

double nested_rhat(const ChainMoments& moments) {
  const std::size_t chains = moments.late.size();
  if (chains < fewest_for_nested) {
    return std::nan("");
  }
  std::vector<std::size_t> order(chains);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t chain) { return moments.early[chain]; });
  std::vector<double> means, late;
  double within = 0;
  for (std::size_t group = 0; group < nested_groups; ++group) {
    const std::size_t first = group * chains / nested_groups,
                      last = (group + 1) * chains / nested_groups;
    late.clear();
    double variances = 0;
    for (std::size_t i = first; i < last; ++i) {
      late.push_back(moments.late[order[i]]);
      variances += moments.late_variance[order[i]];
    }
    means.push_back(mean_of(late));
    within += variance_of(late, means.back()) + variances / static_cast<double>(last - first);
  }
  return std::sqrt(1 + variance_of(means, mean_of(means)) * nested_groups / within);
}

Drift drift(const ChainMoments& moments) {
  const std::size_t chains = moments.late.size();
  if (chains < 2) {
    return {};
  }
  std::vector<double> differences(chains);
  std::ranges::transform(moments.late, moments.early, differences.begin(), std::minus<>());
  const double effect = mean_of(differences);
  const double error = std::sqrt(variance_of(differences, effect) / static_cast<double>(chains));
  return {effect, effect == 0 ? 1 : student_p(effect / error, static_cast<double>(chains - 1))};
}

std::vector<FarChain> far_chains(std::span<const double> values, double level, double widest) {
  if (values.size() < fewest_for_far) {
    return {};
  }
  std::vector<double> work(values.begin(), values.end());
  const double median = median_of(work);
  std::ranges::transform(values, work.begin(), [&](double v) { return std::abs(v - median); });
  constexpr double per_deviation = 1.482602218505602;  // sd of a normal law, 1 / Phi^-1(3/4)
  const double scale = per_deviation * median_of(work);
  if (!(scale > 0) || scale > widest) {
    return {};
  }
  constexpr double efficiency = 0.37, hopeless = 3;
  const double degrees = efficiency * static_cast<double>(values.size() - 1);
  std::vector<FarChain> far;
  for (std::size_t chain = 0; chain < values.size(); ++chain) {
    const double distance = values[chain] - median;
    if (std::abs(distance) > hopeless * scale) {
      if (const double p = student_p(distance / scale, degrees); p < level) {
        far.push_back({chain, distance, p});
      }
    }
  }
  return far;
}

double student_p(double z, double degrees) {
  if (std::isnan(z)) {
    return 1;
  }
  if (std::isinf(z)) {
    return 0;
  }
  return beta_cdf(-std::log1p(z * z / degrees), degrees / 2, 0.5);
}

}  // namespace tain::diagnostics
