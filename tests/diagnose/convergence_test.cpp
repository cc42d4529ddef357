// Convergence diagnostics against R's posterior (tools/make_golden_diagnostics.R) and at their
// edges.
#include "diagnose/convergence.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tain::convergence_test {
namespace {

struct Golden {
  std::size_t chains = 0;
  std::vector<double> values;
  std::map<std::string, double> expected;
  Series series() const { return {values, chains, values.size() / chains}; }
};

double to_double(const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(result.ec, std::errc()) << text;
  return value;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    fields.push_back(field);
  }
  return fields;
}

std::map<std::string, Golden> read_golden() {
  std::map<std::string, Golden> all;
  std::string line;
  std::ifstream inputs(TAIN_TEST_DATA "/golden_inputs.csv");
  while (std::getline(inputs, line)) {
    const auto fields = fields_of(line);
    Golden& golden = all[fields[0]];
    ++golden.chains;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      golden.values.push_back(to_double(fields[i]));
    }
  }
  std::ifstream expected(TAIN_TEST_DATA "/golden_expected.csv");
  std::getline(expected, line);
  const auto header = fields_of(line);
  while (std::getline(expected, line)) {
    const auto fields = fields_of(line);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      all.at(fields[0]).expected[header[i]] = to_double(fields[i]);
    }
  }
  return all;
}

// Both sum the same numbers in another order: sums of up to 1000 terms, three deep, stay within
// 1000 * 3 * 2^-53 < 1e-12 relative; 1e-10 leaves room for the cancellation in 1 - (W - c) / V.
constexpr double relative = 1e-10;

void expect_golden(double ours, double theirs, const std::string& what) {
  if (std::isnan(theirs)) {
    EXPECT_TRUE(std::isnan(ours)) << what << " is " << ours;
  } else {
    EXPECT_NEAR(ours, theirs, relative * std::abs(theirs)) << what;
  }
}

TEST(Convergence, AgreesWithPosterior) {
  const auto all = read_golden();
  ASSERT_GE(all.size(), 20u);
  for (const auto& [name, golden] : all) {
    SCOPED_TRACE(name);
    ASSERT_EQ(golden.expected.size(), 12u);
    const Series s = golden.series();
    const auto expected = [&](const char* what) { return golden.expected.at(what); };
    expect_golden(rhat(s), expected("rhat"), "rhat");
    expect_golden(ess_bulk(s), expected("ess_bulk"), "ess_bulk");
    expect_golden(ess_tail(s), expected("ess_tail"), "ess_tail");
    expect_golden(ess_mean(s), expected("ess_mean"), "ess_mean");
    expect_golden(ess_sd(s), expected("ess_sd"), "ess_sd");
    expect_golden(ess_quantile(s, 0.25), expected("ess_q25"), "ess_q25");
    expect_golden(ess_quantile(s, 1), expected("ess_q100"), "ess_q100");
    expect_golden(mcse_mean(s), expected("mcse_mean"), "mcse_mean");
    expect_golden(mcse_sd(s), expected("mcse_sd"), "mcse_sd");
    expect_golden(quantile(s, 0.05), expected("q5"), "q5");
    expect_golden(quantile(s, 0.5), expected("q50"), "q50");
    expect_golden(quantile(s, 0.95), expected("q95"), "q95");
  }
}

// Where posterior calls every spread below 2.2e-16 constant, we do not: a rare category of a
// sparse Dirichlet lives at 1e-100 and has an ESS like any other.
TEST(Convergence, DoesNotDependOnTheScale) {
  const Golden golden = read_golden().at("slow_ar");
  const Series s = golden.series();
  for (const int exponent : {-900, -40, 40, 900}) {
    std::vector<double> scaled = golden.values;
    for (double& v : scaled) {
      v = std::ldexp(v, exponent);
    }
    const Series t{scaled, s.chains, s.draws};
    EXPECT_EQ(rhat(t), rhat(s));
    EXPECT_EQ(ess_bulk(t), ess_bulk(s));
    EXPECT_EQ(ess_tail(t), ess_tail(s));
    EXPECT_EQ(ess_mean(t), ess_mean(s));
    EXPECT_EQ(ess_sd(t), ess_sd(s));
    EXPECT_EQ(mcse_mean(t), std::ldexp(mcse_mean(s), exponent));
    EXPECT_EQ(mcse_sd(t), std::ldexp(mcse_sd(s), exponent));
    EXPECT_EQ(quantile(t, 0.3), std::ldexp(quantile(s, 0.3), exponent));
  }
}

TEST(Convergence, SubnormalsAreNumbers) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) {
    values.push_back((i * 17 % 40) * std::numeric_limits<double>::denorm_min());
  }
  const Series s{values, 2, 20};
  EXPECT_TRUE(std::isfinite(rhat(s)));
  EXPECT_TRUE(std::isfinite(ess_tail(s)));
  EXPECT_EQ(quantile(s, 1), 39 * std::numeric_limits<double>::denorm_min());
}

TEST(Convergence, TooFewDrawsAreUndefined) {
  const std::vector<double> values = {1, 3, 2, 5, 4, 0};
  EXPECT_TRUE(std::isnan(rhat({values, 2, 3})));
  EXPECT_TRUE(std::isnan(rhat({values, 6, 1})));
  EXPECT_TRUE(std::isnan(ess_mean({values, 2, 3})));
  EXPECT_TRUE(std::isnan(ess_bulk({std::span(values).first(4), 1, 4})));
  EXPECT_TRUE(std::isnan(rhat({{}, 0, 0})));
  EXPECT_TRUE(std::isnan(quantile({{}, 0, 0}, 0.5)));
  EXPECT_EQ(quantile({std::span(values).first(1), 1, 1}, 0.9), 1);
}

}  // namespace
}  // namespace tain::convergence_test
