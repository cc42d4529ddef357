#include "tain/lda/document_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tain/core/error.hpp"

namespace tain {
namespace {

TEST(DocumentOrder, EveryPassVisitsEveryDocumentOnce) {
  for (const std::uint64_t n : {1U, 2U, 3U, 4U, 5U, 63U, 64U, 65U, 1000U, 4097U}) {
    const DocumentOrder order(NoiseField(7), n);
    for (const std::uint64_t pass : {0U, 1U, 12U}) {
      std::vector<int> visits(n, 0);
      for (std::uint64_t i = 0; i < n; ++i) {
        ++visits.at(order.at(pass * n + i));
      }
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << n;
    }
  }
}

// The place of document d in a pass is uniform, and that of d and d + 1 in the same pass, or of d
// in two passes, are uncorrelated.
TEST(DocumentOrder, PassesAndSeedsAreIndependentPermutations) {
  constexpr std::uint64_t n = 1000;
  constexpr int passes = 400;
  const DocumentOrder order(NoiseField(3), n);
  double first = 0, successive = 0, repeated = 0;
  std::uint64_t before = order.at(0);
  const auto scaled = [](std::uint64_t document) {
    return (static_cast<double>(document) - (n - 1) / 2.0) / std::sqrt((n * n - 1) / 12.0);
  };
  for (std::uint64_t pass = 1; pass <= passes; ++pass) {
    const std::uint64_t now = order.at(pass * n), next = order.at(pass * n + 1);
    first += scaled(now);
    successive += scaled(now) * scaled(next);
    repeated += scaled(now) * scaled(before);
    before = now;
  }
  // Sums of 400 terms of mean 0 (or -1/999) and variance 1: six standard deviations.
  const double limit = 6 * std::sqrt(passes);
  EXPECT_LT(std::abs(first), limit);
  EXPECT_LT(std::abs(successive), limit);
  EXPECT_LT(std::abs(repeated), limit);
  EXPECT_NE(DocumentOrder(NoiseField(4), n).at(0), order.at(0));
}

TEST(DocumentOrder, RefusesNoDocuments) { EXPECT_THROW(DocumentOrder(NoiseField(1), 0), Error); }

}  // namespace
}  // namespace tain
