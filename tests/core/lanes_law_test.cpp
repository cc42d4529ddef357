// Laws of the vector arithmetic, for any input.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/lanes.hpp"
#include "core/special.hpp"

namespace tain::lanes_law_test {
namespace {

// Values of every magnitude up to 1e3, where states of a sampler live.
rc::Gen<double> value() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange(-1'000'000, 1'000'001), rc::gen::inRange(0, 7)),
      [](const std::pair<int, int>& p) { return p.first * 1e-3 / std::pow(10.0, p.second); });
}

BlockStorage any_block() {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 20);
  const auto lanes = lane_group * *rc::gen::inRange<std::size_t>(1, 8);
  const auto values = *rc::gen::container<std::vector<double>>(rows * lanes, value());
  BlockStorage block(rows, lanes);
  std::copy(values.begin(), values.end(), block.view().data());
  return block;
}

RC_GTEST_PROP(Softmax, IsAProbabilityVector, ()) {
  const BlockStorage y = any_block();
  BlockStorage x(y.rows(), y.lanes());
  std::vector<double> lse(y.lanes()), total(y.lanes()), largest(y.lanes());
  lanes::softmax(y.view(), x.view(), lse);
  lanes::sum(x.view(), total);
  lanes::max(y.view(), largest);
  const auto n = static_cast<double>(y.rows());
  for (std::size_t l = 0; l < y.lanes(); ++l) {
    RC_ASSERT(std::abs(total[l] - 1.0) <= (n + 2.0) * 0x1p-52);
    RC_ASSERT(lse[l] >= largest[l]);
    RC_ASSERT(lse[l] <= largest[l] + std::log(n) + 0x1p-50 * (1.0 + std::abs(largest[l])));
  }
}

// Shifting all logits by a power of two times an integer moves nothing but the log-sum-exp.
RC_GTEST_PROP(Softmax, ForgetsAConstant, ()) {
  BlockStorage y = any_block();
  for (double& v : y.view().flat()) {
    v = std::round(v * 1024.0) / 1024.0;  // so that the shift below is exact
  }
  BlockStorage x(y.rows(), y.lanes()), shifted(y.rows(), y.lanes());
  std::vector<double> lse(y.lanes());
  lanes::softmax(y.view(), x.view(), lse);
  lanes::affine(y.view().flat(), 1.0, 4096.0, y.view().flat());
  lanes::softmax(y.view(), shifted.view(), lse);
  RC_ASSERT(std::memcmp(x.view().data(), shifted.view().data(), x.view().size() * sizeof(double)) ==
            0);
}

RC_GTEST_PROP(Softmax, InPlaceGivesTheSameBits, ()) {
  BlockStorage y = any_block();
  BlockStorage x(y.rows(), y.lanes());
  std::vector<double> lse(y.lanes());
  lanes::softmax(y.view(), x.view(), lse);
  lanes::softmax(y.view(), y.view(), lse);
  RC_ASSERT(std::memcmp(x.view().data(), y.view().data(), x.view().size() * sizeof(double)) == 0);
}

// What happens in a lane never depends on the lanes beside it.
RC_GTEST_PROP(Softmax, LanesAreIndependent, ()) {
  const BlockStorage y = any_block();
  BlockStorage x(y.rows(), y.lanes());
  std::vector<double> lse(y.lanes());
  lanes::softmax(y.view(), x.view(), lse);
  const std::size_t from = lane_group * *rc::gen::inRange<std::size_t>(0, y.lanes() / lane_group);
  BlockStorage part(y.rows(), lane_group);
  for (std::size_t i = 0; i < y.rows(); ++i) {
    std::memcpy(part.view().row(i), y.view().row(i) + from, lane_group * sizeof(double));
  }
  std::vector<double> part_lse(lane_group);
  lanes::softmax(part.view(), part.view(), part_lse);
  RC_ASSERT(std::memcmp(part_lse.data(), lse.data() + from, lane_group * sizeof(double)) == 0);
  for (std::size_t i = 0; i < y.rows(); ++i) {
    RC_ASSERT(
        std::memcmp(part.view().row(i), x.view().row(i) + from, lane_group * sizeof(double)) == 0);
  }
}

RC_GTEST_PROP(Special, DigammaAndTrigammaObeyTheirRecurrence, ()) {
  const double x = std::pow(10.0, *rc::gen::inRange(-300, 301) * 0.01);
  RC_ASSERT(std::abs(digamma(x + 1.0) - digamma(x) - 1.0 / x) <=
            1e-14 * (1.0 / x + std::abs(digamma(x)) + 1.0));
  RC_ASSERT(std::abs(trigamma(x) - trigamma(x + 1.0) - 1.0 / (x * x)) <=
            1e-14 * (trigamma(x) + trigamma(x + 1.0)));
}

RC_GTEST_PROP(Special, QuantileInvertsTheCdf, ()) {
  const double log_p = -*rc::gen::inRange(70, 69'000) * 0.01;
  const double p = std::exp(log_p);
  // Conditioning: a relative error of 1e-13 in z moves log p by z^2 1e-13.
  const double z = normal_quantile(p);
  RC_ASSERT(std::abs(normal_cdf(z) / p - 1.0) <= 1e-13 * (2.0 + z * z));
}

}  // namespace
}  // namespace tain::lanes_law_test
