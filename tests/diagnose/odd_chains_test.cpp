// Single chains: each rule fires on its saboteur, and hardly ever on right runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "simulated.hpp"

namespace tain::odd_chains_test {
namespace {

using simulated::autoregressive;
using simulated::expect_always;
using simulated::expect_rate;
using simulated::Shape;
using simulated::Simulated;
using simulated::with_modes;
using testing::HasSubstr;

void freeze(Simulated& s, std::size_t chain, std::size_t first = 0) {
  for (std::size_t draw = first + 1; draw < s.shape.draws; ++draw) {
    for (std::size_t i = 0; i < s.shape.dim; ++i) {
      s.at(chain, draw, i) = s.at(chain, first, i);
    }
  }
}

/// Metropolis: a proposal is rejected with the given probability, all coordinates together.
void reject(Simulated& s, double probability, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform;
  for (std::size_t chain = 0; chain < s.shape.chains; ++chain) {
    for (std::size_t draw = 1; draw < s.shape.draws; ++draw) {
      if (uniform(engine) < probability) {
        for (std::size_t i = 0; i < s.shape.dim; ++i) {
          s.at(chain, draw, i) = s.at(chain, draw - 1, i);
        }
      }
    }
  }
}

bool any(const OddChains& odd) {
  return !odd.frozen.empty() || !odd.stuck.empty() || !odd.copies.empty() || !odd.held.empty() ||
         !odd.apart.empty();
}

TEST(OddChains, OneThatNeverMovedIsFoundAmongAnyNumber) {
  for (const Shape shape :
       {Shape{4, 1000, 2}, Shape{50, 100, 2}, Shape{100, 100, 2}, Shape{1000, 50, 2}}) {
    Simulated s = autoregressive(shape, 1, 1);
    freeze(s, shape.chains / 2);
    const Verdict verdict = s.verdict();
    EXPECT_FALSE(verdict.trust);
    EXPECT_THAT(verdict.headline,
                HasSubstr("chain " + std::to_string(shape.chains / 2 + 1) + " never moved"));
    EXPECT_EQ(s.summary().odd.frozen.size(), 1U);
  }
}

TEST(OddChains, AllThatNeverMovedAreFound) {
  Simulated s = autoregressive({4, 1000, 2}, 1, 1);
  for (std::size_t chain = 0; chain < 4; ++chain) {
    freeze(s, chain);
  }
  EXPECT_THAT(s.verdict().headline, HasSubstr("no chain ever moved"));
}

TEST(OddChains, OneThatStopsIsFound) {
  for (const Shape shape : {Shape{1, 1000, 2}, Shape{4, 1000, 2}, Shape{128, 100, 2},
                            Shape{1024, 20, 2}, Shape{1000, 200, 2}}) {
    Simulated s = autoregressive(shape, 1, 1);
    reject(s, shape.draws < 100 ? 0.0 : 0.2, 2);  // ten stays of so many short chains are chance
    freeze(s, 0, shape.draws / 2);
    const OddChains odd = s.summary().odd;
    ASSERT_EQ(odd.stuck.size(), 1U) << shape.chains;
    EXPECT_EQ(odd.stuck[0].chain, 0U);
    EXPECT_NEAR(static_cast<double>(odd.stuck[0].first), static_cast<double>(shape.draws) / 2, 3);
    EXPECT_THAT(s.verdict().headline, HasSubstr("chain 1 stood still for long"));
  }
}

// Stays of rejected proposals, one like another, alarm in 1 of 10,000 runs; 1e-3 is tested.
TEST(OddChains, RejectionsAreNoStandingStill) {
  for (const double probability : {0.2, 0.5, 0.9}) {
    for (const Shape shape : {Shape{4, 1000, 1}, Shape{128, 100, 1}, Shape{1024, 20, 1}}) {
      expect_rate(1e-3, 100, [&](std::uint64_t seed) {
        Simulated s = autoregressive(shape, 1, seed);
        reject(s, probability, seed + 1000);
        const OddChains odd = s.summary().odd;
        return !odd.stuck.empty() || !odd.frozen.empty() || !odd.held.empty();
      });
    }
  }
}

TEST(OddChains, CopiesAreNamed) {
  Simulated s = autoregressive({4, 1000, 2}, 1, 1);
  std::copy_n(s.values.begin() + 2000, 2000, s.values.begin() + 6000);
  const OddChains odd = s.summary().odd;
  ASSERT_EQ(odd.copies.size(), 1U);
  EXPECT_EQ(odd.copies[0].chain, 3U);
  EXPECT_EQ(odd.copies[0].original, 1U);
  EXPECT_THAT(s.verdict().headline,
              HasSubstr("chain 4 has bit for bit the draws of another (chain 4 "
                        "those of chain 2)"));
  s.at(3, 500) = std::nextafter(s.at(3, 500), 10);  // the same last draw is no copy
  EXPECT_TRUE(s.summary().odd.copies.empty());
}

TEST(OddChains, ManyCopiesAreCounted) {
  Simulated s = autoregressive({100, 100, 1}, 1, 1);
  for (std::size_t chain = 50; chain < 100; ++chain) {
    std::copy_n(s.values.begin(), 100, s.values.begin() + static_cast<std::ptrdiff_t>(chain * 100));
  }
  EXPECT_THAT(s.verdict().headline, HasSubstr("chains 51, 52, 53 and 47 more have bit for bit"));
}

TEST(OddChains, ACoordinateThatNeverMovedInAChainIsFound) {
  for (const Shape shape : {Shape{4, 1000, 3}, Shape{128, 100, 3}}) {
    Simulated s = autoregressive(shape, 1, 1);
    for (std::size_t draw = 0; draw < shape.draws; ++draw) {
      s.at(2, draw, 1) = 0.3;
    }
    const OddChains odd = s.summary().odd;
    ASSERT_EQ(odd.held.size(), 1U);
    EXPECT_EQ(odd.held[0].chain, 2U);
    EXPECT_EQ(odd.held[0].coordinate, 1U);
    EXPECT_THAT(s.verdict().headline, HasSubstr("chain 3 never moved in x[2], where others do"));
  }
}

// Probabilities that underflow: nearly all draws are one number, in some chains all.
TEST(OddChains, UnderflowHoldsNoChain) {
  for (const double share : {0.9, 0.99, 0.999}) {
    for (const Shape shape : {Shape{4, 1000, 2}, Shape{128, 100, 2}}) {
      expect_rate(1e-3, 100, [&](std::uint64_t seed) {
        Simulated s = autoregressive(shape, 1, seed);
        std::mt19937_64 engine(seed);
        std::uniform_real_distribution<double> uniform;
        for (std::size_t chain = 0; chain < shape.chains; ++chain) {
          for (std::size_t draw = 0; draw < shape.draws; ++draw) {
            if (uniform(engine) < share) {
              s.at(chain, draw) = 0;
            }
          }
        }
        return any(s.summary().odd);
      });
    }
  }
}

TEST(OddChains, OneInAModeOfItsOwnIsFound) {
  for (const Shape shape : {Shape{32, 500, 1}, Shape{128, 100, 1}, Shape{1024, 20, 1}}) {
    for (const double tau : {1.0, 3.0}) {
      for (const double part : {0.0, 0.01, 0.05}) {
        expect_always(10, [&](std::uint64_t seed) {
          const auto moved = std::max<std::size_t>(
              1, static_cast<std::size_t>(part * static_cast<double>(shape.chains)));
          const Simulated s = with_modes(autoregressive(shape, tau, seed), moved, 8);
          return !s.summary().odd.apart.empty() && !s.verdict().trust;
        });
      }
    }
  }
}

TEST(OddChains, OneOfAThousandLongOnesIsFound) {
  const Simulated s = with_modes(autoregressive({1000, 500, 1}, 1, 1), 1, 8);
  EXPECT_LT(s.summary().rows[0].rhat, rhat_gate);  // which dilutes it
  EXPECT_THAT(s.verdict().headline, HasSubstr("chain 1 stays apart from the others"));
}

TEST(OddChains, OneOfAnotherSpreadIsFound) {
  for (const double factor : {0.1, 4.0}) {
    Simulated s = autoregressive({128, 200, 1}, 1, 1);
    for (std::size_t draw = 0; draw < 200; ++draw) {
      s.at(7, draw) *= factor;
    }
    EXPECT_THAT(s.verdict().headline, HasSubstr("chain 8 stays apart from the others")) << factor;
    EXPECT_THAT(s.verdict().headline, HasSubstr("another spread"));
  }
}

// Within the others, near their median and at the usual distance from it: only its spread tells.
TEST(OddChains, OneThatHardlyMovesIsFound) {
  Simulated s = autoregressive({128, 200, 1}, 1, 1);
  for (std::size_t draw = 0; draw < 200; ++draw) {
    s.at(7, draw) = 0.45 + 0.05 * s.at(7, draw);
  }
  EXPECT_THAT(s.verdict().headline, HasSubstr("chain 8 stays apart from the others"));
  EXPECT_THAT(s.verdict().headline, HasSubstr("another spread"));
}

// 1e-3 per run, whatever the autocorrelation and the tails.
TEST(OddChains, RightRunsAreNotOdd) {
  struct Case {
    Shape shape;
    double tau;
    std::size_t runs;
  };
  for (const auto& [shape, tau, runs] :
       {Case{{4, 1000, 2}, 1, 100}, Case{{4, 1000, 2}, 10, 100}, Case{{16, 250, 2}, 1, 100},
        Case{{16, 250, 2}, 10, 100}, Case{{128, 100, 2}, 1, 100}, Case{{128, 100, 2}, 3, 100},
        Case{{128, 100, 2}, 10, 100}, Case{{1024, 20, 2}, 1, 50}, Case{{1024, 20, 2}, 3, 50},
        Case{{1024, 20, 2}, 10, 50}, Case{{128, 100, 50}, 3, 10}, Case{{1000, 1000, 1}, 3, 2}}) {
    for (const bool heavy : {false, true}) {
      expect_rate(1e-3, runs, [&](std::uint64_t seed) {
        Simulated s = autoregressive(shape, tau, seed);
        for (double& v : s.values) {
          v = heavy ? std::tan(std::atan(v) * 1.2) * std::exp(std::abs(v)) : v;
        }
        return any(s.summary().odd);
      });
    }
  }
}

// A rare place that every chain comes to and leaves: the mean of a chain that was there for long is
// far from those of the others, which is right.
TEST(OddChains, VisitsOfARarePlaceAreNotOdd) {
  for (const Shape shape : {Shape{128, 100, 1}, Shape{1024, 20, 1}}) {
    for (const double share : {0.1, 0.01}) {
      expect_rate(1e-3, 60, [&](std::uint64_t seed) {
        Simulated s = autoregressive(shape, 1, seed);
        std::mt19937_64 engine(seed);
        std::uniform_real_distribution<double> uniform;
        bool there = false;
        for (std::size_t chain = 0; chain < shape.chains; ++chain) {
          for (std::size_t draw = 0; draw < shape.draws; ++draw) {
            if (draw == 0 || uniform(engine) < 0.5) {
              there = uniform(engine) < share;
            }
            s.at(chain, draw) += there ? 8 : 0;
          }
        }
        return any(s.summary().odd);
      });
    }
  }
}

TEST(OddChains, DoNotDependOnThreads) {
  Simulated s = with_modes(autoregressive({64, 100, 7}, 2, 1), 3, 8);
  freeze(s, 10);
  std::vector<std::string> names(7, "x");
  Threads one(1), two(2);
  const Summary a = summarise(s.values, 64, 100, names, one);
  const Summary b = summarise(s.values, 64, 100, names, two);
  ASSERT_EQ(a.odd.apart.size(), b.odd.apart.size());
  for (std::size_t k = 0; k < a.odd.apart.size(); ++k) {
    EXPECT_EQ(a.odd.apart[k].chain, b.odd.apart[k].chain);
    EXPECT_EQ(a.odd.apart[k].coordinate, b.odd.apart[k].coordinate);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.odd.apart[k].distance),
              std::bit_cast<std::uint64_t>(b.odd.apart[k].distance));
  }
  EXPECT_EQ(a.odd.frozen.size(), 1U);
  for (std::size_t i = 0; i < 7; ++i) {
    for (const auto field : {&SummaryRow::nested_rhat, &SummaryRow::drift, &SummaryRow::pareto_k}) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a.rows[i].*field),
                std::bit_cast<std::uint64_t>(b.rows[i].*field));
    }
  }
}

}  // namespace
}  // namespace tain::odd_chains_test
