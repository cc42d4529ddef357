// Many short chains: nested R-hat and drift let right runs pass, and no others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated.hpp"

namespace tain::many_chains_test {
namespace {

using simulated::autoregressive;
using simulated::expect_always;
using simulated::expect_rate;
using simulated::Shape;
using simulated::with_modes;
using testing::HasSubstr;

TEST(ManyChains, AreNoWorseThanFew) {
  for (const auto& [shape, tau] : {std::pair{Shape{128, 100, 1}, 3.0},
                                   {Shape{1024, 20, 1}, 3.0},
                                   {Shape{4096, 20, 1}, 5.0},
                                   {Shape{256, 100, 1}, 5.0}}) {
    const auto s = autoregressive(shape, tau, 1);
    EXPECT_GT(s.summary().rows[0].rhat, rhat_gate);
    const Verdict verdict = s.verdict();
    EXPECT_TRUE(verdict.trust) << verdict.headline;
    EXPECT_THAT(verdict.lines[0].sentence, HasSubstr("ested R-hat is at most"));
    EXPECT_THAT(verdict.lines[0].sentence, HasSubstr("forget where they began"));
  }
}

// Two rules of 1e-3 each (chains apart, drift) where the ESS is above 3,000.
TEST(ManyChains, RightRunsPass) {
  for (const auto& [shape, tau] : {std::pair{Shape{128, 100, 2}, 1.0},
                                   {Shape{128, 100, 2}, 3.0},
                                   {Shape{1024, 20, 2}, 1.0},
                                   {Shape{1024, 20, 2}, 3.0},
                                   {Shape{4, 1000, 2}, 1.0},
                                   {Shape{16, 250, 2}, 1.0}}) {
    expect_rate(2e-3, 60, [&](std::uint64_t seed) {
      return !autoregressive(shape, tau, seed).verdict().trust;
    });
  }
}

// From 32 chains on; a group of neighbours cannot be made of fewer.
TEST(ManyChains, BeginAtThirtyTwo) {
  EXPECT_TRUE(std::isnan(autoregressive({31, 100, 1}, 3, 1).summary().rows[0].nested_rhat));
  EXPECT_GT(autoregressive({32, 100, 1}, 3, 1).summary().rows[0].nested_rhat, 1);
}

TEST(ManyChains, InSeparateModesFail) {
  for (const Shape shape : {Shape{128, 100, 1}, Shape{1024, 20, 1}}) {
    for (const double part : {0.01, 0.05, 0.5}) {
      expect_always(10, [&](std::uint64_t seed) {
        const auto moved = static_cast<std::size_t>(part * static_cast<double>(shape.chains));
        return !with_modes(autoregressive(shape, 3, seed), moved, 8).verdict().trust;
      });
    }
  }
}

// Half of them in each: no chain is alone, and nested R-hat must see it.
TEST(ManyChains, ThatStayWhereTheyBeganAreSeen) {
  const auto s = with_modes(autoregressive({128, 100, 1}, 1, 1), 64, 8);
  EXPECT_GT(s.summary().rows[0].nested_rhat, 1.5);
  EXPECT_TRUE(s.summary().odd.apart.empty());
  EXPECT_THAT(s.verdict().headline, HasSubstr("R-hat is 1."));
  EXPECT_THAT(s.verdict().lines[0].sentence, HasSubstr("began apart"));
}

// Slower than the run: right as a whole, which nothing shows.
TEST(ManyChains, SlowerThanTheRunFail) {
  for (const Shape shape : {Shape{128, 100, 1}, Shape{1024, 20, 1}}) {
    for (const double times : {1.0, 10.0}) {
      expect_always(10, [&](std::uint64_t seed) {
        return !autoregressive(shape, times * static_cast<double>(shape.draws), seed)
                    .verdict()
                    .trust;
      });
    }
  }
}

// All begin at one point, in the middle or far out, and have not arrived.
TEST(ManyChains, StillOnTheirWayFail) {
  for (const double start : {0.0, 2.0, 5.0}) {
    for (const auto& [shape, tau] :
         {std::pair{Shape{128, 100, 1}, 50.0}, {Shape{1024, 20, 1}, 10.0}}) {
      expect_always(10, [&](std::uint64_t seed) {
        return !autoregressive(shape, tau, seed, start).verdict().trust;
      });
    }
  }
  const auto s = autoregressive({1024, 20, 1}, 10, 1, 3);
  EXPECT_LT(s.summary().rows[0].drift, -0.5);
  EXPECT_THAT(s.verdict().lines[0].sentence, HasSubstr("give more warm-up"));
}

// Nested R-hat alone would pass here: only the drift tells.
TEST(ManyChains, DriftIsSeenWhereNestedRhatPasses) {
  const auto s = autoregressive({4096, 40, 1}, 8, 1, 2);
  const SummaryRow row = s.summary().rows[0];
  EXPECT_LT(row.nested_rhat, rhat_gate);
  EXPECT_NE(row.drift, 0);
  EXPECT_FALSE(converged(row));
}

TEST(ManyChains, DriftOfRightRunsIsChance) {
  for (const Shape shape : {Shape{32, 100, 3}, Shape{128, 100, 3}, Shape{1024, 20, 3}}) {
    expect_rate(1e-3, 60, [&](std::uint64_t seed) {
      const Summary found = autoregressive(shape, 3, seed).summary();
      return std::ranges::any_of(found.rows, [](const SummaryRow& r) { return r.drift != 0; });
    });
  }
}

}  // namespace
}  // namespace tain::many_chains_test
