// Lemma 2 of the paper, by enumeration: sums of terms in the primal are sums of terms in the dual.
//
// All expectations over batches are exact: b = 1 over all terms, b = 2 over all pairs. Data, maps
// and points are random.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "core/lanes.hpp"
#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "random/noise.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/mirrored.hpp"
#include "targets/regression.hpp"

namespace tain::batch_test {
namespace {

using Vector = std::vector<double>;

Vector lane_of(ConstBlock block, std::size_t lane) {
  Vector v;
  for (std::size_t i = 0; i < block.rows(); ++i) {
    v.push_back(block.at(i, lane));
  }
  return v;
}

Vector minus(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] -= b[i];
  }
  return a;
}

double square(const Vector& v) {
  double sum = 0;
  for (const double x : v) {
    sum += x * x;
  }
  return sum;
}

/// Gradient of a potential at one point: whole, and that of a batch.
struct At {
  AnyPotential potential;
  BlockStorage point;

  At(AnyPotential p, const Vector& x) : potential(std::move(p)), point(x.size(), lane_group) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::fill_n(point.view().row(i), lane_group, x[i]);
    }
  }
  Vector gradient() const {
    BlockStorage grad(point.rows(), lane_group);
    std::vector<double> value(lane_group);
    Workspace ws;
    potential.evaluate(point.view(), value, grad.view(), ws);
    return lane_of(grad.view(), 5);
  }
  Vector batch(const std::vector<std::uint64_t>& terms) const {
    std::vector<std::uint64_t> indices;
    for (std::size_t lane = 0; lane < lane_group; ++lane) {
      // Other batches in the other lanes: they must not matter.
      for (const std::uint64_t i : terms) {
        indices.push_back(lane == 5 ? i : (i + lane) % potential.terms());
      }
    }
    BlockStorage grad(point.rows(), lane_group);
    Workspace ws;
    potential.batch_gradient(point.view(), {terms.size(), indices}, grad.view(), ws);
    return lane_of(grad.view(), 5);
  }
};

struct Case {
  AnyMap map;
  AnyPotential target;
  Vector y;
};

double between(Stream& words, double low, double high) {
  return low + (high - low) * words.uniform();
}

RegressionData random_rows(Stream& words, std::size_t rows, std::size_t features, bool binary) {
  RegressionData data;
  data.source = "random";
  data.rows = rows;
  for (std::size_t j = 0; j < features; ++j) {
    data.names.push_back("z" + std::to_string(j));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    data.lines.push_back(i + 2);
    for (std::size_t j = 0; j < features; ++j) {
      data.features.push_back(words.normal());
    }
    data.responses.push_back(binary ? double(words.uniform() < 0.5) : words.normal());
  }
  return data;
}

AnyPotential random_regression(Stream& words, std::size_t features) {
  const std::size_t rows = 2 + words.word() % 10;
  const double prior = words.uniform() < 0.3 ? std::numeric_limits<double>::infinity() : 2.0;
  if (words.uniform() < 0.5) {
    return LinearRegression(random_rows(words, rows, features, false), 0.7, prior);
  }
  return LogisticRegression(random_rows(words, rows, features, true), prior);
}

DirichletPosterior random_posterior(Stream& words, std::size_t n) {
  Vector counts, alpha;
  for (std::size_t i = 0; i < n; ++i) {
    counts.push_back(double(words.word() % 5));
    alpha.push_back(between(words, 0.1, 2));
  }
  counts[0] += 1;
  return {counts, alpha};
}

/// A case on one of the paper's sets, with a 1-strongly convex mirror map.
Case random_case(std::uint64_t seed) {
  Stream words(NoiseField(seed), Purpose::check, 0, 0);
  const std::size_t d = 1 + words.word() % 4;
  Vector y(d);
  for (double& v : y) {
    v = 2 * words.normal();
  }
  switch (words.word() % 4) {
    case 0: {
      const std::size_t reference = words.word() % (d + 1);
      return {SimplexMap::with_reference(d + 1, reference), random_posterior(words, d + 1), y};
    }
    case 1:
      return {BoxMap(Vector(d, -1), Vector(d, 1)), random_regression(words, d), y};
    case 2:
      return {BallMap(Vector(d, 0), 1, BallForm::tanh), random_regression(words, d), y};
    default:
      return {BallMap(Vector(d, 0), 1, BallForm::paper), random_regression(words, d), y};
  }
}

/// Rounding of an average of N terms of some hundred operations each.
double rounding(double terms, double scale) {
  return (terms + 500) * std::numeric_limits<double>::epsilon() * scale;
}

/// Claim 3 by enumeration: the mean of N grad W_i is grad W.
bool is_unbiased(const AnyPotential& W, const Vector& y) {
  const At at(W, y);
  const std::uint64_t terms = W.terms();
  Vector mean(y.size());
  double scale = 1;
  for (std::uint64_t i = 0; i < terms; ++i) {
    const Vector term = at.batch({i});
    for (std::size_t j = 0; j < mean.size(); ++j) {
      mean[j] += term[j] / double(terms);
    }
    scale = std::max(scale, std::sqrt(square(term)));
  }
  return std::sqrt(square(minus(mean, at.gradient()))) <= rounding(double(terms), scale);
}

/// E |estimate - gradient|^2 over all batches of a kind.
struct Variances {
  double one = 0, pair_with = 0, pair_without = 0;
};
Variances variances(const At& at, const std::function<Vector(const Vector&)>& chart) {
  const std::uint64_t n = at.potential.terms();
  const double N = double(n);
  const Vector gradient = chart(at.gradient());
  Variances v;
  for (std::uint64_t i = 0; i < n; ++i) {
    v.one += square(minus(chart(at.batch({i})), gradient)) / N;
    for (std::uint64_t j = 0; j < n; ++j) {
      const double s = square(minus(chart(at.batch({i, j})), gradient));
      v.pair_with += s / (N * N);
      v.pair_without += n > 1 && i != j ? s / (N * (N - 1)) : 0;
    }
  }
  return v;
}

/// The variances of the case in the dual and in the chart of the primal.
std::pair<Variances, Variances> both(const Case& c) {
  const At dual(mirrored(c.map, c.target, DualForm::generic), c.y);
  BlockStorage x(c.map.primal_dim(), lane_group);
  Workspace ws;
  c.map.to_primal(dual.point.view(), x.view(), ws);
  const At primal(c.target, lane_of(x.view(), 0));
  const SimplexMap* simplex = c.map.as<SimplexMap>();
  // The paper's free coordinates: x_ref = 1 - sum of the others.
  const auto chart = [&](const Vector& g) {
    Vector free;
    for (std::size_t i = 0; simplex && i < g.size(); ++i) {
      if (i != *simplex->reference()) {
        free.push_back(g[i] - g[*simplex->reference()]);
      }
    }
    return simplex ? free : g;
  };
  return {variances(dual, [](const Vector& g) { return g; }), variances(primal, chart)};
}

RC_GTEST_PROP(Lemma2, TheMeanOfTheTermsIsTheGradient, (std::uint64_t seed)) {
  const Case c = random_case(seed);
  RC_ASSERT(is_unbiased(mirrored(c.map, c.target, DualForm::generic), c.y));
  RC_ASSERT(is_unbiased(mirrored(c.map, c.target), c.y));  // closed, where there is a closed form
}

RC_GTEST_PROP(Lemma2, HoldsInOtherCoordinatesOfTheSimplexToo, (std::uint64_t seed)) {
  Stream words(NoiseField(seed), Purpose::check, 1, 0);
  const DirichletPosterior posterior = random_posterior(words, 4);
  const Vector y{words.normal(), words.normal(), words.normal()};
  for (const AnyMap& map :
       {AnyMap(SimplexMap::symmetric(4)), AnyMap(SimplexMap::for_weights(posterior.weights())),
        AnyMap(SimplexMap::for_weights(posterior.weights(), 1))}) {
    for (const DualForm form : {DualForm::closed, DualForm::generic}) {
      RC_ASSERT(is_unbiased(mirrored(map, posterior, form), y));
    }
    // The closed stochastic gradient (4.4) is the generic one.
    const At closed(mirrored(map, posterior, DualForm::closed), y);
    const At generic(mirrored(map, posterior, DualForm::generic), y);
    const Vector difference = minus(closed.batch({0}), generic.batch({0}));
    RC_ASSERT(std::sqrt(square(difference)) <=
              rounding(1, 10 * (1 + std::sqrt(square(generic.batch({0}))))));
  }
}

RC_GTEST_PROP(Lemma2, TheDualGradientIsMoreAccurate, (std::uint64_t seed)) {
  const auto [dual, primal] = both(random_case(seed));
  const double slack = 1 + 1e-10;  // of rounding
  RC_ASSERT(dual.one <= primal.one * slack + 1e-20);
  RC_ASSERT(dual.pair_with <= primal.pair_with * slack + 1e-20);
  RC_ASSERT(dual.pair_without <= primal.pair_without * slack + 1e-20);
}

TEST(Lemma2, NeedsStrongConvexity) {
  // On [-3, 3] the map is 1/3-strongly convex, and near its centre hess h* is 3: nine times the
  // variance. So the hypothesis of the lemma is needed, and the inequality is not empty.
  Stream words(NoiseField(1), Purpose::check, 2, 0);
  const AnyPotential target = LinearRegression(random_rows(words, 6, 2, false), 1, 2);
  const auto [wide_dual, wide] = both({BoxMap({-3, -3}, {3, 3}), target, {0, 0}});
  EXPECT_NEAR(wide_dual.one, 9 * wide.one, 1e-9 * wide.one);
  EXPECT_NEAR(wide_dual.pair_without, 9 * wide.pair_without, 1e-9 * wide.one);
  const auto [unit_dual, unit] = both({BoxMap({-1, -1}, {1, 1}), target, {0, 0}});
  EXPECT_NEAR(unit_dual.one, unit.one, 1e-9 * unit.one);
}

TEST(Lemma2, ATermDependsOnItsOwnDataAndTheMapOnly) {
  Stream words(NoiseField(2), Purpose::check, 3, 0);
  RegressionData data = random_rows(words, 5, 3, true);
  RegressionData changed = data;
  for (std::size_t k = 0; k < changed.features.size(); ++k) {
    changed.features[k] = k / 3 == 2 ? data.features[k] : words.normal();
  }
  const Vector y{0.3, -1, 2};
  const BallMap ball({0, 0, 0}, 1);
  for (const auto& [one, other] : {std::pair{AnyPotential(LogisticRegression(data, 2)),
                                             AnyPotential(LogisticRegression(changed, 2))},
                                   std::pair{AnyPotential(LinearRegression(data, 1, 2)),
                                             AnyPotential(LinearRegression(changed, 1, 2))}}) {
    const At a(mirrored(ball, one), y), b(mirrored(ball, other), y);
    EXPECT_EQ(a.batch({2}), b.batch({2}));
    EXPECT_NE(a.batch({1}), b.batch({1}));
    EXPECT_NE(a.gradient(), b.gradient());
  }
  // Observations 0 and 1 are of category 0 in both.
  const Vector alpha{0.5, 0.25, 1, 2};
  const SimplexMap simplex = SimplexMap::with_reference(4, 3);
  const At a(mirrored(simplex, DirichletPosterior({2, 3, 0, 4}, alpha)), y);
  const At b(mirrored(simplex, DirichletPosterior({3, 0, 5, 1}, alpha)), y);
  EXPECT_EQ(a.batch({1}), b.batch({1}));
  EXPECT_NE(a.batch({3}), b.batch({3}));
}

// Saboteur: every term with the whole log det, instead of an Nth of it.
struct LogDetPerTerm {
  AnyMap map;
  AnyPotential target;
  double share;  // of the log det in a batch; 1 is right
  std::string name() const { return "saboteur"; }
  std::size_t dim() const { return map.dual_dim(); }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace& ws) const {
    mirrored(map, target).evaluate(y, value, grad, ws);
  }
  std::uint64_t terms() const { return target.terms(); }
  void batch_gradient(ConstBlock y, const Batches& batches, Block grad, Workspace& ws) const {
    BlockStorage x(map.primal_dim(), y.lanes()), gx(map.primal_dim(), y.lanes()),
        own(grad.rows(), y.lanes());
    std::vector<double> unused(y.lanes());
    map.to_primal(y, x.view(), ws);
    target.batch_gradient(x.view(), batches, gx.view(), ws);
    map.pull_back(y, x.view(), gx.view(), grad, ws);
    map.add_log_det(y, x.view(), unused, own.view(), ws);
    lanes::add_scaled(share, own.view().flat(), grad.flat());
  }
};

TEST(Lemma2, TheTestSeesAWrongShareOfTheLogDet) {
  Stream words(NoiseField(3), Purpose::check, 4, 0);
  const AnyPotential target = LinearRegression(random_rows(words, 6, 2, false), 1, 2);
  const BoxMap box({-1, -1}, {1, 1});
  EXPECT_TRUE(is_unbiased(LogDetPerTerm{box, target, 1}, {0.4, -1}));
  EXPECT_FALSE(is_unbiased(LogDetPerTerm{box, target, 6}, {0.4, -1}));
  EXPECT_FALSE(is_unbiased(LogDetPerTerm{box, target, 1.0 / 6}, {0.4, -1}));
}

TEST(Terms, OnlySumsHaveThem) {
  EXPECT_EQ(AnyPotential(DirichletPosterior({3, 4}, {1, 1})).terms(), 7U);
  EXPECT_EQ(AnyPotential(DirichletPosterior({3.5, 4}, {1, 1})).terms(), 0U);
  EXPECT_EQ(AnyPotential(DirichletPosterior({0, 0}, {1, 1})).terms(), 0U);
  EXPECT_EQ(AnyPotential(DirichletPosterior({0x1p52, 0x1p52}, {1, 1})).terms(), 0U);
  EXPECT_EQ(AnyPotential(Gaussian::diagonal({0}, Vector{1})).terms(), 0U);
  Stream words(NoiseField(4), Purpose::check, 5, 0);
  EXPECT_EQ(AnyPotential(LinearRegression(random_rows(words, 6, 2, false), 1, 2)).terms(), 6U);
}

TEST(Terms, DirichletCountsCategories) {
  const DirichletPosterior posterior({2, 0, 3, 0, 1}, Vector(5, 1));
  Vector m(5);
  posterior.count_categories(std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}, m);
  EXPECT_EQ(m, (Vector{2, 0, 3, 0, 1}));
  posterior.count_categories(std::vector<std::uint64_t>{5, 5, 2}, m);
  EXPECT_EQ(m, (Vector{0, 0, 1, 0, 2}));
}

TEST(Terms, DirichletKnowsTheVarianceOfATerm) {
  Stream words(NoiseField(5), Purpose::check, 6, 0);
  const DirichletPosterior posterior({2, 0, 3, 1}, {0.3, 1, 2, 0.1});
  for (const SimplexMap& map : {SimplexMap::with_reference(4, 2), SimplexMap::symmetric(4)}) {
    const At at(mirrored(map, posterior), {words.normal(), words.normal(), words.normal()});
    const double enumerated = variances(at, [](const Vector& g) { return g; }).one;
    EXPECT_NEAR(*posterior.facts(map).term_variance, enumerated, 1e-10 * enumerated);
  }
}

}  // namespace
}  // namespace tain::batch_test
