#include "lda/engine/document_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tain/core/error.hpp"

namespace tain::document_order_test {
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

TEST(DocumentOrder, FindsWhereADocumentIs) {
  for (const std::uint64_t n : {1U, 2U, 5U, 63U, 64U, 1000U}) {
    const DocumentOrder order(NoiseField(7), n);
    for (const std::uint64_t pass : {0U, 1U, 12U}) {
      for (std::uint64_t i = 0; i < n; ++i) {
        EXPECT_EQ(order.where(order.at(pass * n + i), pass), i);
      }
    }
  }
}

TEST(RangeOrder, RangesTogetherMakeTheVisitsOfAll) {
  constexpr std::uint64_t n = 1000;
  const DocumentOrder order(NoiseField(5), n);
  Threads threads(2);
  RangeOrder parts[] = {{order, {0, 300}}, {order, {300, 300}}, {order, {300, 1000}}};
  RangeOrder whole(order, {0, n});
  std::vector<RangeOrder::Visit> visits;
  // Within a pass, over its end, over several passes, and back.
  for (const auto& [first, count] : {std::pair{0, 50}, {980, 50}, {950, 2100}, {10, 5}}) {
    std::vector<std::uint64_t> found(static_cast<std::size_t>(count), n);
    for (RangeOrder& part : parts) {
      part.find(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count), threads,
                visits);
      std::uint64_t last = 0;
      for (const RangeOrder::Visit& visit : visits) {
        EXPECT_GE(visit.position, last);
        last = visit.position;
        EXPECT_EQ(found.at(visit.position - static_cast<std::uint64_t>(first)), n);
        found.at(visit.position - static_cast<std::uint64_t>(first)) = visit.document;
      }
    }
    whole.find(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count), threads,
               visits);
    ASSERT_EQ(visits.size(), found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(visits[i].document, found[i]);
      EXPECT_EQ(found[i], order.at(static_cast<std::uint64_t>(first) + i));
    }
  }
}

TEST(DocumentOrder, RefusesNoDocuments) { EXPECT_THROW(DocumentOrder(NoiseField(1), 0), Error); }

}  // namespace
}  // namespace tain::document_order_test
