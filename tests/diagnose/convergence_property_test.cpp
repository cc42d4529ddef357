// Laws of the diagnostics on arbitrary series.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "diagnose/autocovariance.hpp"
#include "diagnose/convergence.hpp"
#include "diagnose/order.hpp"

namespace tain::convergence_property_test {
namespace {

std::vector<double> arbitrary_values(std::size_t count) {
  // Few distinct values half of the time, so that ties occur.
  const bool coarse = *rc::gen::arbitrary<bool>();
  return *rc::gen::container<std::vector<double>>(
      count, rc::gen::map(rc::gen::inRange(-1'000'000, 1'000'000),
                          [coarse](int i) { return coarse ? i / 250'000 : i * 1.1e-3; }));
}

RC_GTEST_PROP(Sorter, SortsStably, ()) {
  const auto values = arbitrary_values(*rc::gen::inRange<std::size_t>(0, 700));
  diagnostics::Sorter sorter;
  const auto sorted = sorter.sort(values);
  RC_ASSERT(sorted.size() == values.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    RC_ASSERT(values[sorted[i].place] == sorted[i].value);
    if (i > 0) {
      const bool ordered =
          sorted[i - 1].value < sorted[i].value ||
          (sorted[i - 1].value == sorted[i].value && sorted[i - 1].place < sorted[i].place);
      RC_ASSERT(ordered);
    }
  }
}

// Beyond 64 lags the FFT takes over; its error is a few roundings per stage of what lag 0 holds.
RC_GTEST_PROP(Autocovariance, EqualsItsDefinition, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 150);
  const auto chains = *rc::gen::inRange<std::size_t>(1, 6);
  const auto values = arbitrary_values(n * chains);
  diagnostics::Autocovariance autocovariance;
  autocovariance.load(values, n);
  std::vector<double> expected(n, 0.0);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t chain = 0; chain < chains; ++chain) {
      for (std::size_t i = 0; i + t < n; ++i) {
        expected[t] += values[chain * n + i] * values[chain * n + i + t];
      }
    }
    expected[t] /= static_cast<double>(values.size());
  }
  const auto first = *rc::gen::inRange<std::size_t>(0, n);  // any order of asking
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t t = (first + k) % n;
    RC_ASSERT(std::abs(autocovariance(t) - expected[t]) <= 1e-13 * expected[0]);
  }
}

// Rank-based diagnostics do not change under increasing maps, and no diagnostic does when chains
// change places.
RC_GTEST_PROP(Convergence, IsInvariant, ()) {
  const auto chains = *rc::gen::inRange<std::size_t>(1, 5);
  const auto draws = *rc::gen::inRange<std::size_t>(4, 60);
  const auto values = arbitrary_values(chains * draws);
  const Series s{values, chains, draws};
  const auto same = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) ||
           std::abs(a - b) <= 1e-10 * std::abs(b);  // a == b: infinities
  };
  std::vector<double> cubed = values, turned = values;
  for (double& v : cubed) {
    v = v * v * v;
  }
  RC_ASSERT(same(ess_bulk({cubed, chains, draws}), ess_bulk(s)));
  std::ranges::rotate(turned, turned.begin() + static_cast<std::ptrdiff_t>(draws));
  const Series t{turned, chains, draws};
  RC_ASSERT(same(rhat(t), rhat(s)));
  RC_ASSERT(same(ess_tail(t), ess_tail(s)));
  RC_ASSERT(same(mcse_mean(t), mcse_mean(s)));
}

RC_GTEST_PROP(Convergence, EssIsBounded, ()) {
  const auto chains = *rc::gen::inRange<std::size_t>(1, 5);
  const auto draws = *rc::gen::inRange<std::size_t>(6, 60);
  const auto values = arbitrary_values(chains * draws);
  const Series s{values, chains, draws};
  const auto total = static_cast<double>(chains * (draws / 2) * 2);
  for (const double ess : {ess_bulk(s), ess_tail(s), ess_mean(s), ess_sd(s)}) {
    const bool bounded = ess > 0 && ess <= total * std::log10(total) * (1 + 1e-12);
    RC_ASSERT((std::isnan(ess) || bounded));
  }
}

}  // namespace
}  // namespace tain::convergence_property_test
