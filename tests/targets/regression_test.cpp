#include "targets/regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "errors.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "points.hpp"
#include "support/potential_laws.hpp"
#include "tain/targets/target.hpp"
#include "targets/target_kind.hpp"

namespace tain::regression_test {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;

constexpr double inf = std::numeric_limits<double>::infinity();

RegressionData random_data(std::size_t n, std::size_t p, std::uint64_t seed) {
  RegressionData data;
  data.source = "random";
  data.response_name = "y";
  data.rows = n;
  for (std::size_t j = 0; j < p; ++j) {
    data.names.push_back("z" + std::to_string(j + 1));
  }
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      data.features.push_back(normal(engine));
    }
    data.responses.push_back(normal(engine) > 0.3 ? 1 : 0);
    data.lines.push_back(i + 2);
  }
  return data;
}

/// V by its definition, term by term.
double linear_by_definition(const RegressionData& data, ConstBlock b, std::size_t lane,
                            double noise_sd, double prior_sd) {
  double value = 0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    double residual = data.responses[i];
    for (std::size_t j = 0; j < b.rows(); ++j) {
      residual -= data.row(i)[j] * b.at(j, lane);
    }
    value += residual * residual / (2 * noise_sd * noise_sd);
  }
  for (std::size_t j = 0; j < b.rows(); ++j) {
    value += b.at(j, lane) * b.at(j, lane) / (2 * prior_sd * prior_sd);
  }
  return value;
}

double logistic_by_definition(const RegressionData& data, ConstBlock b, std::size_t lane,
                              double prior_sd) {
  double value = 0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    double eta = 0;
    for (std::size_t j = 0; j < b.rows(); ++j) {
      eta += data.row(i)[j] * b.at(j, lane);
    }
    value += std::log1p(std::exp(-std::abs(eta))) + std::max(eta, 0.0) - data.responses[i] * eta;
  }
  for (std::size_t j = 0; j < b.rows(); ++j) {
    value += b.at(j, lane) * b.at(j, lane) / (2 * prior_sd * prior_sd);
  }
  return value;
}

TEST(LinearRegression, KeepsTheLaws) {
  const auto b = normal_points(4, 16, 1, 0, 1);
  EXPECT_TRUE(keeps_potential_laws(LinearRegression(random_data(30, 4, 1), 0.5, 2), b.view()));
  EXPECT_TRUE(keeps_potential_laws(LinearRegression(random_data(30, 4, 1), 0.5, inf), b.view()));
}

TEST(LinearRegression, IsItsDefinitionUpToAConstant) {
  const auto b = normal_points(4, 16, 2, 0, 1);
  for (const std::size_t rows : {30u, 2u}) {  // 2 rows: 4 coefficients are not identified
    for (const double prior_sd : {2.0, inf}) {
      const RegressionData data = random_data(rows, 4, 2);
      const auto result = evaluate(LinearRegression(data, 0.5, prior_sd), b.view());
      const double first = linear_by_definition(data, b.view(), 0, 0.5, prior_sd);
      for (std::size_t l = 0; l < 16; ++l) {
        const double expected = linear_by_definition(data, b.view(), l, 0.5, prior_sd);
        EXPECT_NEAR(result.value[l] - result.value[0], expected - first,
                    1e-12 * (expected + first));
      }
    }
  }
}

TEST(LinearRegression, KnowsItsPosterior) {
  const RegressionData data = random_data(50, 3, 3);
  const LinearRegression target(data, 0.5, 2);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> z(data.features.data(), 50, 3);
  const Eigen::Map<const Eigen::VectorXd> r(data.responses.data(), 50);
  const Eigen::MatrixXd precision = z.transpose() * z / 0.25 + Eigen::MatrixXd::Identity(3, 3) / 4;
  const Eigen::MatrixXd covariance = precision.inverse();
  const Eigen::VectorXd mean = covariance * z.transpose() * r / 0.25;
  const TargetFacts facts = target.facts(BoxMap::identity(3));
  ASSERT_EQ(facts.mean.size(), 3u);
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(facts.mean[j], mean(j), 1e-12);
    EXPECT_NEAR(facts.variance[j], covariance(j, j), 1e-12 * covariance(j, j));
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(precision);
  EXPECT_GE(*facts.dual_lipschitz, eigen.eigenvalues().maxCoeff());
  EXPECT_TRUE(target.facts(BoxMap::orthant(3)).mean.empty());
  // Not identified and flat: no moments, but still a start.
  const TargetFacts improper =
      LinearRegression(random_data(2, 4, 4), 1, inf).facts(BoxMap::identity(4));
  EXPECT_TRUE(improper.mean.empty());
  EXPECT_EQ(improper.start.size(), 4u);
}

TEST(LogisticRegression, KeepsTheLaws) {
  const auto b = normal_points(3, 16, 4, 0, 1);
  for (const std::size_t rows : {40u, 128u, 300u}) {  // a chunk is 128 rows
    EXPECT_TRUE(keeps_potential_laws(LogisticRegression(random_data(rows, 3, 5), 2), b.view()));
  }
}

TEST(LogisticRegression, IsItsDefinition) {
  // 128 rows are one chunk: below, on, across and at two chunks; one row; more features than rows.
  for (const std::size_t rows : {1u, 127u, 128u, 129u, 256u, 300u}) {
    for (const std::size_t features : {1u, 5u, 150u}) {
      const RegressionData data = random_data(rows, features, rows + features);
      const auto b = normal_points(features, 8, 6, 0, 0.5);
      const auto result = evaluate(LogisticRegression(data, 3), b.view());
      for (std::size_t l = 0; l < 8; ++l) {
        const double expected = logistic_by_definition(data, b.view(), l, 3);
        // Sums of `features` and `rows` terms, each good to a few eps of the sum.
        EXPECT_NEAR(result.value[l], expected,
                    1e-15 * static_cast<double>(rows + features) * (1 + expected));
      }
      EXPECT_TRUE(testing_support::lanes_are_independent(LogisticRegression(data, 3), b.view()));
    }
  }
}

TEST(LogisticRegression, NeverOverflows) {
  const auto b = normal_points(3, 8, 7, 0, 1e5);
  const auto result = evaluate(LogisticRegression(random_data(200, 3, 8), inf), b.view());
  for (std::size_t l = 0; l < 8; ++l) {
    EXPECT_TRUE(std::isfinite(result.value[l]));
  }
  for (const double g : result.grad.view().flat()) {
    EXPECT_TRUE(std::isfinite(g));
  }
}

TEST(Regression, RefusesWrongSettings) {
  EXPECT_TRUE(fails([] { LinearRegression(random_data(5, 2, 1), 0, 1); }, Fault::config,
                    "noise standard deviation is 0"));
  EXPECT_TRUE(fails([] { LinearRegression(random_data(5, 2, 1), 1, -1); }, Fault::config,
                    "prior standard deviation is -1"));
  EXPECT_TRUE(fails([] { LogisticRegression(random_data(5, 2, 1), NAN); }, Fault::config,
                    "prior standard deviation is nan"));
  const CsvTable table = parse_csv("y,z\n1,2\n0,3\n0.5,4\n", "data.csv");
  EXPECT_TRUE(fails([&] { LogisticRegression(regression_data(table, "y", Intercept::none), 1); },
                    Fault::data, "data.csv:4: response 'y' is 0.5"));
}

TEST(RegressionData, TakesTheColumnsByName) {
  const CsvTable table = parse_csv("a,y,\"b, c\"\n1,2,3\n4,5,6\n", "data.csv");
  const RegressionData data = regression_data(table, "y", Intercept::first);
  EXPECT_EQ(data.names, (std::vector<std::string>{"(intercept)", "a", "b, c"}));
  EXPECT_EQ(data.features, (std::vector<double>{1, 1, 3, 1, 4, 6}));
  EXPECT_EQ(data.responses, (std::vector<double>{2, 5}));
  EXPECT_EQ(regression_data(table, "a", Intercept::none).names,
            (std::vector<std::string>{"y", "b, c"}));
  EXPECT_TRUE(fails([&] { regression_data(table, "x", Intercept::none); }, Fault::config,
                    "no column is named 'x'; name one of: a, y, b, c"));
  EXPECT_TRUE(fails([] { regression_data(parse_csv("y\n1\n", "d"), "y", Intercept::none); },
                    Fault::config, "no column besides the response"));
}

TEST(RegressionData, MayComeAsNumbers) {
  const CsvTable table = parse_csv("a,b,y\n1,3,2\n4,6,5\n", "data.csv");
  for (const Intercept intercept : {Intercept::none, Intercept::first}) {
    const RegressionData file = regression_data(table, "y", intercept);
    const RegressionData given = regression_data({1, 3, 4, 6}, {2, 5}, {"a", "b"}, intercept);
    EXPECT_EQ(given.names, file.names);
    EXPECT_EQ(given.features, file.features);
    EXPECT_EQ(given.responses, file.responses);
    EXPECT_EQ(given.rows, file.rows);
  }
  EXPECT_EQ(regression_data({1, 3, 4, 6}, {2, 5}, {}, Intercept::first).names,
            (std::vector<std::string>{"(intercept)", "x[1]", "x[2]"}));
  EXPECT_EQ(regression_data({}, {2, 5}, {}, Intercept::first).features,
            (std::vector<double>{1, 1}));
}

TEST(RegressionData, NumbersThatDoNotFitAreRefused) {
  using Names = std::vector<std::string>;
  const auto refuses = [](Fault fault, const std::string& message, std::vector<double> features,
                          std::vector<double> responses, Names names = {}) {
    return fails([&] { regression_data(features, responses, names, Intercept::none); }, fault,
                 message);
  };
  EXPECT_TRUE(
      refuses(Fault::config, "features: has 5 numbers for 2 rows", {1, 2, 3, 4, 5}, {0, 1}));
  EXPECT_TRUE(refuses(Fault::config, "responses: are missing", {1, 2}, {}));
  EXPECT_TRUE(refuses(Fault::config, "features: are missing", {}, {0, 1}));
  EXPECT_TRUE(refuses(Fault::data, "features: number 2 is nan", {1, NAN}, {0, 1}));
  EXPECT_TRUE(refuses(Fault::data, "responses: number 1 is inf", {1, 2}, {inf, 1}));
  EXPECT_TRUE(refuses(Fault::config, "names: has 1 entries for 2 columns", {1, 2}, {0}, {"a"}));
  EXPECT_TRUE(refuses(Fault::config, "names: has 'a' twice", {1, 2}, {0}, {"a", "a"}));
  EXPECT_TRUE(refuses(Fault::config, "names: entry 2 is empty", {1, 2}, {0}, {"a", ""}));
  EXPECT_TRUE(fails([] { regression_data({1}, {0}, {"(intercept)"}, Intercept::first); },
                    Fault::config, "names: has '(intercept)' twice"));
  EXPECT_TRUE(fails(
      [] { logistic_regression({.features = {1, 2, 3}, .responses = {0, 1, 2}}).potential({}); },
      Fault::data, "responses: number 3 is 2; logistic regression needs 0 or 1"));
}

TEST(Regression, HasOneSourceOfRows) {
  EXPECT_TRUE(fails([] { linear_regression({}); }, Fault::usage, "data: is missing"));
  EXPECT_TRUE(fails([] { linear_regression({.data = "a.csv", .responses = {1}}); }, Fault::config,
                    "data: is given beside numbers; give it, or features and responses"));
  EXPECT_TRUE(fails([] { linear_regression({.response = "y", .features = {1}, .responses = {1}}); },
                    Fault::config, "response: names a column of a table, and there is none"));
  EXPECT_TRUE(fails([] { linear_regression({.data = "a.csv", .names = {"a"}}); }, Fault::config,
                    "names: are given beside a table that has its own"));
  // Numbers come all at once; a response alone is one of them.
  EXPECT_TRUE(fails([] { linear_regression({.features = {1, 2}}); }, Fault::config,
                    "responses: are missing"));
}

TEST(Regression, CopiesShareTheirRows) {
  const Target target = linear_regression({.features = {1, 2, 3}, .responses = {0, 1, 1}});
  const auto* made = target.potential({}).as<LinearRegression>();
  const auto other = target.kind().clone()->potential({});
  ASSERT_TRUE(made);
  EXPECT_EQ(&made->data(), &other.as<LinearRegression>()->data());
}

}  // namespace
}  // namespace tain::regression_test
