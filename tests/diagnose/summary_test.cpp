// The table, the gates and their sentences.
#include "tain/diagnose/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "core/parallel.hpp"
#include "diagnose/convergence.hpp"

namespace tain::summary_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> names_of(std::size_t dim) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= dim; ++i) {
    names.push_back("x[" + std::to_string(i) + "]");
  }
  return names;
}

std::vector<double> normals(std::size_t count) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& v : values) {
    v = normal(engine);
  }
  return values;
}

SummaryRow good_row(const std::string& name) {
  return {name, 0.5, 0.01, 1.0, -1.1, 0.5, 2.1, 900.9, 800.9, 1.003};
}

TEST(Summary, GathersEveryCoordinate) {
  constexpr std::size_t chains = 3, draws = 51, dim = 19;
  const auto values = normals(chains * draws * dim);
  Threads threads(1);
  const auto rows = summarise(values, chains, draws, names_of(dim), threads).rows;
  ASSERT_EQ(rows.size(), dim);
  for (std::size_t i = 0; i < dim; ++i) {
    std::vector<double> column;
    for (std::size_t pair = 0; pair < chains * draws; ++pair) {
      column.push_back(values[pair * dim + i]);
    }
    const Series s{column, chains, draws};
    EXPECT_EQ(rows[i].name, names_of(dim)[i]);
    EXPECT_EQ(rows[i].rhat, rhat(s));
    EXPECT_EQ(rows[i].ess_bulk, ess_bulk(s));
    EXPECT_EQ(rows[i].ess_tail, ess_tail(s));
    EXPECT_EQ(rows[i].mcse_mean, mcse_mean(s));
    EXPECT_EQ(rows[i].q5, quantile(s, 0.05));
    EXPECT_EQ(rows[i].q95, quantile(s, 0.95));
  }
}

TEST(Summary, BitsDoNotDependOnThreads) {
  constexpr std::size_t chains = 4, draws = 40, dim = 37;
  const auto values = normals(chains * draws * dim);
  Threads one(1), two(2);
  const auto a = summarise(values, chains, draws, names_of(dim), one).rows;
  const auto b = summarise(values, chains, draws, names_of(dim), two).rows;
  for (std::size_t i = 0; i < dim; ++i) {
    for (const auto field : {&SummaryRow::mean, &SummaryRow::mcse_mean, &SummaryRow::sd,
                             &SummaryRow::ess_bulk, &SummaryRow::ess_tail, &SummaryRow::rhat}) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i].*field),
                std::bit_cast<std::uint64_t>(b[i].*field));
    }
  }
}

TEST(Summary, ConstantAndBrokenCoordinates) {
  std::vector<double> values = normals(4 * 20 * 3);
  for (std::size_t pair = 0; pair < 80; ++pair) {
    values[pair * 3] = 1e-300;
  }
  values[3 * 17 + 1] = std::numeric_limits<double>::infinity();
  Threads threads(1);
  const auto rows = summarise(values, 4, 20, names_of(3), threads).rows;
  EXPECT_EQ(rows[0].mean, 1e-300);
  EXPECT_EQ(rows[0].sd, 0);
  EXPECT_EQ(rows[0].q50, 1e-300);
  EXPECT_TRUE(std::isnan(rows[0].rhat));
  EXPECT_TRUE(std::isnan(rows[1].mean));
  EXPECT_TRUE(std::isfinite(rows[2].rhat));
}

TEST(Verdict, TrustsGoodRuns) {
  const auto verdict = judge({good_row("x[1]"), good_row("x[2]")}, 4, 1000, {0, 4000, 0.995});
  EXPECT_TRUE(verdict.trust);
  EXPECT_EQ(verdict.headline, "Trust these draws.");
  ASSERT_EQ(verdict.lines.size(), 5u);
  EXPECT_EQ(verdict.lines[0].sentence, "R-hat is at most 1.003 (x[1]); the chains agree.");
  EXPECT_THAT(verdict.lines[1].sentence, StartsWith("Bulk ESS is at least 900 (x[1])"));
  EXPECT_THAT(verdict.lines[2].sentence, StartsWith("Tail ESS is at least 800 (x[1])"));
}

// One run for every gate, each wrong in that respect only.
TEST(Verdict, EveryGateCanFail) {
  const auto spoiled = [](auto spoil) {
    std::vector<SummaryRow> rows = {good_row("x[1]"), good_row("x[2]")};
    RunFacts facts{0, 4000, 0.995};
    spoil(rows[1], facts);
    return judge(rows, 4, 1000, facts);
  };
  const double nan = std::nan("");
  const std::vector<std::pair<Verdict, std::string>> cases = {
      {spoiled([](SummaryRow& r, RunFacts&) { r.rhat = 1.01; }), "R-hat is 1.01 (x[2])"},
      {spoiled([](SummaryRow& r, RunFacts&) { r.rhat = INFINITY; }), "R-hat is inf (x[2])"},
      {spoiled([&](SummaryRow& r, RunFacts&) { r.rhat = nan; }), "R-hat of x[2] is not defined"},
      {spoiled([](SummaryRow& r, RunFacts&) { r.ess_bulk = 399.9; }),
       "bulk ESS is only 399 (x[2])"},
      {spoiled([](SummaryRow& r, RunFacts&) { r.ess_tail = 12; }), "tail ESS is only 12 (x[2])"},
      {spoiled([&](SummaryRow& r, RunFacts&) { r.mean = r.rhat = r.sd = nan; }),
       "NaN or infinite values in x[2]"},
      {spoiled([](SummaryRow&, RunFacts& f) { f.divergences = 12; }), "12 of 4000 draws diverged"},
      {spoiled([](SummaryRow&, RunFacts& f) { f.bias_indicator = 0.8999; }), "is 0.90 < 0.992"},
      {spoiled([&](SummaryRow&, RunFacts& f) { f.bias_indicator = nan; }), "biased"},
  };
  for (const auto& [verdict, reason] : cases) {
    EXPECT_FALSE(verdict.trust) << reason;
    EXPECT_THAT(verdict.headline, StartsWith("Do not trust these draws: "));
    EXPECT_THAT(verdict.headline, HasSubstr(reason));
    EXPECT_EQ(std::ranges::count(verdict.lines, false, &VerdictLine::passed), 1) << reason;
  }
}

TEST(Verdict, ConstantCoordinatesAreNamedNotFailed) {
  SummaryRow constant = good_row("x[2]");
  constant.sd = 0;
  constant.rhat = constant.ess_bulk = constant.ess_tail = constant.mcse_mean = std::nan("");
  const auto some = judge({good_row("x[1]"), constant}, 4, 1000, {});
  EXPECT_TRUE(some.trust);
  EXPECT_THAT(some.lines[0].sentence, StartsWith("Constant: x[2];"));
  EXPECT_THAT(format_verdict(some), StartsWith("note  Constant: x[2];"));
  const auto all = judge({constant, constant}, 4, 1000, {});
  EXPECT_FALSE(all.trust);
  EXPECT_THAT(all.headline, HasSubstr("every coordinate is constant"));
}

TEST(Verdict, AsksManyChainsForFourHundred) {
  EXPECT_EQ(ess_gate(1), 100);
  EXPECT_EQ(ess_gate(3), 300);
  EXPECT_EQ(ess_gate(4), 400);
  EXPECT_EQ(ess_gate(4096), 400);
  SummaryRow row = good_row("x[1]");
  row.ess_bulk = row.ess_tail = 401;
  EXPECT_TRUE(judge({row}, 4096, 20, {}).trust);
}

TEST(Verdict, OneChainIsSaidToBeWeak) {
  const auto verdict = judge({good_row("x[1]")}, 1, 1000, {});
  EXPECT_TRUE(verdict.trust);
  EXPECT_THAT(verdict.lines[0].sentence, HasSubstr("the halves of the chain agree"));
  EXPECT_THAT(verdict.lines[1].sentence, HasSubstr("run 4 chains"));
  EXPECT_TRUE(verdict.lines[1].note);
  EXPECT_THAT(format_verdict(verdict), HasSubstr("\nnote  One chain only; "));
}

std::string advice_at(double rhat, std::size_t chains, std::size_t draws, double nested = NAN,
                      double drift = 0) {
  SummaryRow row = good_row("x[1]");
  row.rhat = rhat;
  row.nested_rhat = nested;
  row.drift = drift;
  return judge({row}, chains, draws, {}).lines[0].sentence;
}

// "Longer chains rather than more" only where more would not help.
TEST(Verdict, AdvisesWhatHelps) {
  EXPECT_THAT(advice_at(1.02, 4, 1000), HasSubstr("about 5 times as long"));
  EXPECT_THAT(advice_at(1.02, 4, 1000), Not(HasSubstr("are few")));
  EXPECT_THAT(advice_at(1.02, 4, 20), HasSubstr("20 draws per chain are few for R-hat: it needs "
                                                "longer chains, or 128 of them or more"));
  EXPECT_THAT(advice_at(1.8, 4, 1000), HasSubstr("caught in different places"));
  EXPECT_THAT(advice_at(INFINITY, 4, 1000), HasSubstr("caught in different places"));
  EXPECT_THAT(advice_at(1.05, 256, 20, 1.02), HasSubstr("about 5 times as many draws per chain"));
  EXPECT_THAT(advice_at(1.05, 256, 20, 1.5), HasSubstr("caught in different places"));
  EXPECT_THAT(advice_at(1.05, 256, 20, 1.002, 0.3),
              HasSubstr("moved by 0.30 sd (x[1]) from their first quarter to their last half: give "
                        "more warm-up"));
  EXPECT_THAT(advice_at(1.05, 256, 20, 1.002), StartsWith("Nested R-hat is at most 1.002 (x[1])"));
}

// A number never contradicts what is said of it.
TEST(Verdict, RoundsToTheSideOfTheGate) {
  EXPECT_THAT(advice_at(1.0104, 4, 1000), StartsWith("R-hat is 1.0104 (x[1]), not below 1.01"));
  EXPECT_THAT(advice_at(1.01, 4, 1000), StartsWith("R-hat is 1.01 (x[1]), not below 1.01"));
  EXPECT_THAT(advice_at(1.01 + 1e-9, 4, 1000), StartsWith("R-hat is 1.010000001 (x[1])"));
  EXPECT_THAT(advice_at(1.0099, 4, 1000), StartsWith("R-hat is at most 1.0099 (x[1])"));
  EXPECT_THAT(advice_at(1.02, 4, 1000), HasSubstr("in 1 of 1 coordinate;"));
  SummaryRow row = good_row("x[1]");
  row.ess_bulk = 399.6;
  EXPECT_THAT(judge({row}, 4, 1000, {}).headline, HasSubstr("is only 399 (x[1]), 400 are asked"));
  row = good_row("x[1]");
  row.rhat = 1.0096;
  EXPECT_THAT(format_table({row}, 4, {}), HasSubstr("1.0096"));
  const auto diverged = [](std::uint64_t count, std::uint64_t total) {
    RunFacts facts;
    facts.divergences = count;
    facts.total_draws = total;
    return format_verdict(judge({good_row("x[1]")}, 4, 1000, facts));
  };
  EXPECT_THAT(diverged(4000, 4000), HasSubstr("4000 of 4000 draws diverged (100 %)"));
  EXPECT_THAT(diverged(3999, 4000), HasSubstr("(above 99.9 %)"));
  EXPECT_THAT(diverged(400, 4000), HasSubstr("(10 %)"));
  EXPECT_THAT(diverged(1, 4000), HasSubstr("1 of 4000 draws diverged (0.025 %)"));
  EXPECT_THAT(diverged(1, 1), HasSubstr("1 of 1 draw diverged (100 %)"));
  EXPECT_THAT(diverged(1, 1'000'000), HasSubstr("(below 0.001 %)"));
}

TEST(Verdict, CountsDivergencesOfStepsBetweenDraws) {
  RunFacts facts;
  facts.divergences = 6000;
  facts.total_draws = 4000;
  facts.thin = 5;
  EXPECT_THAT(judge({good_row("x[1]")}, 4, 1000, facts).headline,
              HasSubstr("6000 divergences in 4000 draws of 5 steps each"));
}

struct FactCase {
  std::function<void(RunFacts&)> tell;
  bool trust, note;
  std::string sentence;
};

// What other parts found out about the target.
TEST(Verdict, JudgesWhatIsKnownOfTheTarget) {
  const FoundMode here{.where = "x = 0", .mass = 0.6, .draws = 1, .chains = 4},
      missed{.where = "x = 8", .mass = 0.4}, tiny{.where = "x = 9", .mass = 0.001, .shift = 0.04},
      far{.where = "x = 99", .mass = 0.001, .shift = 0.06}, unknown{.where = "x = 7"},
      hardly{.where = "x = 6", .mass = 0.4, .draws = 0.09, .chains = 4},
      part{.where = "x = 0", .mass = 0.6, .draws = 0.5, .chains = 2},
      other{.where = "x = 8", .mass = 0.4, .draws = 0.5, .chains = 2},
      shared{.where = "x = 8", .mass = 0.4, .draws = 0.4, .chains = 4};
  const FactCase cases[] = {
      {[&](RunFacts& f) { f.modes = {here, missed}; }, false, false,
       "the draws miss a mode that was found (at x = 8, about 40 % of the mass)"},
      {[&](RunFacts& f) { f.modes = {here, unknown}; }, false, false, "mass not known"},
      {[&](RunFacts& f) { f.modes = {here, missed, unknown}; }, false, false,
       "the draws miss 2 modes that were found"},
      {[&](RunFacts& f) { f.modes = {here}; }, true, false, "A search found one mode"},
      {[&](RunFacts& f) { f.modes = {here, tiny}; }, true, false,
       "the draws visit one, the others are too light to matter"},
      {[&](RunFacts& f) { f.modes = {here, far}; }, false, false,
       "the draws miss a mode that was found (at x = 99, about 0.1 % of the mass)"},
      {[&](RunFacts& f) { f.modes = {here, hardly}; }, false, false,
       "(at x = 6, about 40 % of the mass, 9 % of the draws)"},
      {[&](RunFacts& f) { f.modes = {part, other}; }, false, false,
       "the chains stay in different modes, 2 of them (2 chains at x = 0, about 60 % of the mass; "
       "2 "
       "chains at x = 8, about 40 % of the mass)"},
      {[&](RunFacts& f) { f.modes = {here, shared}; }, true, false, "2 modes were found"},
      {[](RunFacts& f) { f.improper = "x[1] to infinity"; }, false, false,
       "the draws run to where numbers end: x[1] to infinity"},
      {[](RunFacts& f) { f.unvisited = FoundMass{"beyond x[1] = 8", 0.06, 0.02}; }, false, false,
       "about 6 % of the mass lies beyond x[1] = 8, where 2 % of the draws are"},
      {[](RunFacts& f) { f.unvisited = FoundMass{"beyond x[1] = 8", 0.025, 0.02}; }, true, false,
       "the chains agree"},  // within three errors
      {[](RunFacts& f) { f.one_start = true; }, true, true, "All chains began at one place"},
      {[](RunFacts& f) { f.sign_note = "the density falls to a hole at its start"; }, true, true,
       "The density falls to a hole"},
      {[](RunFacts& f) { f.foreign = true; }, true, true,
       "Not judged: divergences; the draws do not tell of that."},
      {[](RunFacts& f) { f.foreign = f.adjusted_unknown = true; }, true, true,
       "Not judged: divergences, the bias of the kernel; the draws do not tell of them."}};
  for (const auto& [tell, trust, note, sentence] : cases) {
    RunFacts facts;
    tell(facts);
    const Verdict verdict = judge({good_row("x[1]")}, 4, 1000, facts);
    EXPECT_EQ(verdict.trust, trust) << sentence;
    EXPECT_EQ(std::ranges::count(verdict.lines, true, &VerdictLine::note), note ? 1 : 0)
        << sentence;
    EXPECT_THAT(format_verdict(verdict), HasSubstr(trust ? sentence : sentence.substr(4)));
    if (!trust) {
      EXPECT_THAT(verdict.headline, HasSubstr(sentence));
    }
  }
  SummaryRow slow = good_row("x[1]");
  slow.ess_tail = 399;
  RunFacts two;
  two.modes = {here, shared};
  EXPECT_THAT(judge({slow}, 4, 1000, two).headline,
              HasSubstr("2 modes were found, and chains go between them too rarely"));
  EXPECT_EQ(judge({good_row("x[1]")}, 4, 1000, {}).lines.size(),
            3U);  // nothing known, nothing said
}

TEST(Verdict, EndsThatStepsHardlyEnterAreNamed) {
  SummaryRow neck = good_row("v");
  neck.end_acceptance = 0.14;
  const Verdict verdict = judge({good_row("x"), neck}, 4, 1000, {});
  EXPECT_FALSE(verdict.trust);
  EXPECT_THAT(verdict.headline,
              HasSubstr("steps at one end of v are accepted 0.14 times as often as elsewhere"));
  neck.end_acceptance = end_acceptance_gate;
  EXPECT_TRUE(judge({good_row("x"), neck}, 4, 1000, {}).trust);
}

TEST(Verdict, NothingIsNotTrusted) {
  EXPECT_FALSE(judge({}, 4, 1000, {}).trust);
  EXPECT_FALSE(judge({good_row("x[1]")}, 4, 0, {}).trust);
}

TEST(Verdict, Prints) {
  const auto text = format_verdict(judge({good_row("x[1]")}, 4, 1000, {30, 4000, {}}));
  EXPECT_THAT(text, StartsWith("ok    R-hat"));
  EXPECT_THAT(text, HasSubstr("\nFAIL  30 of 4000 draws diverged"));
  EXPECT_THAT(text, EndsWith("Do not trust these draws: 30 of 4000 draws diverged (0.75 %).\n"));
}

TEST(Table, PrintsDigitsTheErrorLeaves) {
  SummaryRow row = good_row("x[1]");
  row.mean = 0.123456789;
  row.mcse_mean = 0.00234;
  const auto text = format_table({row}, 4, {.max_rows = 10});
  EXPECT_THAT(text, HasSubstr(" 0.123  0.0023 "));
  EXPECT_THAT(text, HasSubstr("  900 "));  // rounded down
  SummaryRow tiny = row;
  tiny.mean = 1.23456e-120;
  tiny.mcse_mean = 2e-122;
  EXPECT_THAT(format_table({tiny}, 4, {.max_rows = 10}), HasSubstr("1.23e-120"));
  EXPECT_THAT(format_table({tiny}, 4, {.max_rows = 10}), HasSubstr("2.0e-122"));
}

TEST(Table, ShowsTheWorstWhereCut) {
  std::vector<SummaryRow> rows;
  for (int i = 1; i <= 50; ++i) {
    rows.push_back(good_row("x[" + std::to_string(i) + "]"));
  }
  rows[30].rhat = 1.2;
  rows[40].rhat = 1.5;
  const auto text = format_table(rows, 4, {.max_rows = 2});
  EXPECT_LT(text.find("x[41]"), text.find("x[31]"));
  EXPECT_THAT(text, Not(HasSubstr("x[1]")));
  EXPECT_THAT(text, EndsWith("48 more left out: these 2 have the largest R-hat.\n"));
}

TEST(Table, CountsTheOneRowItShows) {
  const auto text = format_table({good_row("x[1]"), good_row("x[2]")}, 4, {.max_rows = 1});
  EXPECT_THAT(text, EndsWith("1 more left out: this one has the largest R-hat.\n"));
}

TEST(Table, FitsItsWidth) {
  SummaryRow row = good_row("a_rather_long_name_of_a_coordinate[12,34]");
  row.mean = -1.2345678901234e-200;
  row.mcse_mean = 1e-212;
  for (const std::size_t width : {120u, 100u, 80u, 60u, 50u}) {
    std::size_t longest = 0, start = 0;
    const std::string text = format_table({row}, 4, {.max_rows = 10, .columns = width});
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         start = end + 1, end = text.find('\n', start)) {
      longest = std::max(longest, end - start);
    }
    EXPECT_LE(longest, width) << text;
    EXPECT_GT(longest, width / 2) << text;
  }
}

}  // namespace
}  // namespace tain::summary_test
