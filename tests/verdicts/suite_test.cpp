// The suite, shortened: every case, hmc, 4 chains. All of it runs as verdicts.whole_suite (label
// slow), which prints the table.
#include "suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tain::verdicts {
namespace {

const SuitePlan quick{.kernels = {"hmc"}, .lengths = {{4, 1000, 1000}}, .seeds = 2, .threads = 1};

std::vector<Case> cases_of(Class kind) {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [kind](const Case& one) { return one.kind != kind; });
  return cases;
}

int sum(const std::vector<Row>& rows, int Row::* member) {
  int total = 0;
  for (const Row& row : rows) {
    total += row.*member;
  }
  return total;
}

std::string lies_of(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) {
    for (const std::string& lie : row.lies) {
      text += row.name + ": " + lie + "\n";
    }
  }
  return text;
}

// A verdict whose false alarms have a rate of 2 % fails here once in 1e6.
TEST(Suite, GoodTargetsAreTrusted) {
  const std::vector<Row> rows = run_suite(cases_of(Class::good), quick);
  EXPECT_EQ(sum(rows, &Row::false_trust), 0) << lies_of(rows);
  EXPECT_LE(sum(rows, &Row::false_alarms), alarm_bound(sum(rows, &Row::right))) << lies_of(rows);
  // Else there would be nothing to raise an alarm about.
  EXPECT_GE(sum(rows, &Row::right), sum(rows, &Row::runs) / 2);
}

TEST(Suite, NoWrongRunIsTrusted) {
  const std::vector<Row> rows = run_suite(cases_of(Class::hostile), quick);
  EXPECT_EQ(sum(rows, &Row::false_trust), 0) << lies_of(rows);
}

// With the answer of another law a trusted run is a lie.
TEST(Suite, SeesFalseTrust) {
  const Case moved{"moved", Class::good, real(1), gaussian(), {normal_law(0.3, 1)}};
  const std::vector<Row> rows = run_suite({moved}, quick);
  EXPECT_EQ(rows[0].wrong, 2);
  EXPECT_EQ(rows[0].false_trust, 2);
  EXPECT_EQ(rows[0].fooled, 2);
  EXPECT_EQ(rows[0].lies.size(), 2U);
  EXPECT_NE(table_of(rows).find("| moved | good | 2 | 0 | 0 | 2 | 0 | 2 | 2 | 0 | 2 |  |"),
            std::string::npos)
      << table_of(rows);
}

// A run without enough warm-up is wrong and not trusted; one that is refused is neither.
TEST(Suite, CountsWhatIsNotTrusted) {
  const Case stopped{"stopped", Class::hostile, real(1),
                     code(1, [](auto, std::span<double>) -> double {
                       throw Error(Fault::data, "target", "cannot be computed", "mend it");
                     })};
  const std::vector<Row> rows = run_suite({stopped}, quick);
  EXPECT_EQ(rows[0].refused, 2);
  EXPECT_EQ(rows[0].wrong + rows[0].trusted + rows[0].false_trust, 0);
}

TEST(Suite, BoundsFalseAlarms) {
  EXPECT_EQ(alarm_bound(0), 0);
  // P(Bin(100, 0.02) > 10) = 5.6e-6, P(> 11) = 8.6e-7.
  EXPECT_EQ(alarm_bound(100), 11);
}

}  // namespace
}  // namespace tain::verdicts
