// The references and the judge, before they judge anything: exact draws are right, draws with one
// deliberate mistake are not.
#include "judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "core/special.hpp"

namespace tain::verdicts {
namespace {

using Engine = std::mt19937_64;
using Point = std::vector<double>;

double normal(Engine& engine) { return std::normal_distribution<double>()(engine); }
double uniform(Engine& engine, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(engine);
}

/// Draws with their storage.
struct Made {
  std::vector<double> values;
  Draws draws;
};

/// next() gives a point; chains one after another.
template <class Next>
std::unique_ptr<Made> made(std::size_t chains, std::size_t count, const Next& next) {
  auto result = std::make_unique<Made>();
  std::size_t dim = 0;
  for (std::size_t k = 0; k < chains * count; ++k) {
    const Point x = next();
    dim = x.size();
    result->values.insert(result->values.end(), x.begin(), x.end());
  }
  result->draws = {.chains = chains,
                   .draws = count,
                   .names = coordinate_names({}, dim),
                   .values = result->values};
  return result;
}

const Case& case_of(const std::vector<Case>& cases, const std::string& name) {
  return *std::ranges::find(cases, name, &Case::name);
}

Case normal_case(Law law) { return {"normal", Class::good, real(1), gaussian(), {law}}; }

void expect_near(const Law& a, const Law& b, double tolerance) {
  EXPECT_NEAR(a.mean, b.mean, tolerance * b.sd);
  EXPECT_NEAR(a.sd, b.sd, tolerance * b.sd);
  EXPECT_NEAR(a.kurtosis, b.kurtosis, 10 * tolerance * b.kurtosis);
  EXPECT_NEAR(a.q5, b.q5, tolerance * b.sd);
  EXPECT_NEAR(a.q95, b.q95, tolerance * b.sd);
}

TEST(Laws, QuadratureAgreesWithClosedForms) {
  const auto bell = [](double x) { return std::exp(-0.5 * (x - 3) * (x - 3) / 4); };
  expect_near(law_of(bell, {-21, 3, 27}), normal_law(3, 2), 1e-8);
  const auto beta = [](double x) { return x * x * std::pow(1 - x, 4); };
  expect_near(law_of(beta, {0, 1}), beta_law(3, 5), 1e-8);
  // Far behind the wall an exponential with mean 1 / 20, up to 1 / 20^2.
  const Law tail{.mean = 1, .sd = 1, .kurtosis = 9, .q5 = -std::log(0.95), .q95 = -std::log(0.05)};
  expect_near(truncated_normal_law(-20, 1, 0, HUGE_VAL), shifted(tail, 0, 0.05), 2e-2);
  const std::vector<Law> plane = rectangle_laws(
      [](std::span<const double> x) {
        return 0.5 * (x[0] * x[0] - 1.2 * x[0] * x[1] + x[1] * x[1]);
      },
      {-15, 0, 15}, {-15, 0, 15});
  expect_near(plane[1], normal_law(0, 1.25), 1e-8);
  // Uniform on the triangle and on the disc.
  const Energy flat = [](std::span<const double>) { return 0.0; };
  expect_near(triangle_laws(flat)[2], beta_law(1, 2), 1e-8);
  expect_near(disc_laws(flat)[1], shifted(beta_law(1.5, 1.5), -1, 2), 1e-8);
  // t with 5 degrees: table values.
  EXPECT_NEAR(student_law(5).q95, 2.015048, 1e-5);
  EXPECT_NEAR(student_law(5).sd, std::sqrt(5.0 / 3), 1e-6);
  EXPECT_FALSE(student_law(1.5).has_moments);
}

TEST(Laws, RefuseDensitiesThatAreNotResolved) {
  EXPECT_THROW(law_of([](double x) { return std::abs(x - 0.3) < 1e-3 ? 1.0 : 1e-3; }, {0, 1}),
               std::logic_error);
}

TEST(Cases, AreMany) {
  std::array<int, 3> counts{};
  std::set<std::string> names;
  for (const Case& one : all_cases()) {
    ++counts[static_cast<std::size_t>(one.kind)];
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
  EXPECT_GE(counts[0], 25);
  EXPECT_GE(counts[1], 25);
}

// What is meant to have a wrong gradient has one, and nothing else.
TEST(Cases, HaveTheGradientsTheyClaim) {
  std::set<std::string> wrong;
  for (const Case& one : all_cases()) {
    if (!check_gradient(one.set, one.target).passed) {
      wrong.insert(one.name);
    }
  }
  EXPECT_EQ(wrong, (std::set<std::string>{"gradient 5 % too long", "gradient with one wrong sign",
                                          "gradient of -V in a box"}));
}

// Exact draws by transformation and rejection, which share nothing with the quadratures.
using Sampler = Point (*)(Engine&);

Point funnel(Engine& engine) {
  for (;;) {
    Point x{3 * normal(engine)};
    bool inside = std::abs(x[0]) < 9;
    for (int i = 1; i < 10; ++i) {
      x.push_back(std::exp(0.5 * x[0]) * normal(engine));
      inside = inside && std::abs(x.back()) < 100;
    }
    if (inside) {
      return x;
    }
  }
}
Point banana(Engine& engine) {
  const double u = normal(engine);
  return {u, 5 * u * u + 0.1 * normal(engine)};
}
Point ring(Engine& engine) {
  for (;;) {
    const double r = 1 + 0.02 * normal(engine), angle = uniform(engine, 0, 2 * M_PI);
    if (uniform(engine, 0, 1.3) < r) {
      return {r * std::cos(angle), r * std::sin(angle)};
    }
  }
}
Point hole(Engine& engine) {
  for (;;) {
    const Point x{uniform(engine, -1, 1), uniform(engine, -1, 1)};
    if (x[0] * x[0] + x[1] * x[1] >= 0.49) {
      return x;
    }
  }
}
Point hierarchy(Engine& engine) {
  // The prior, accepted by the likelihood.
  for (;;) {
    Point x{2 * normal(engine), std::exp(0.3 * normal(engine))};
    double squares = 0;
    for (const double y : {-0.8, 0.3, 1.1, 2.4}) {
      x.push_back(x[0] + x[1] * normal(engine));
      squares += (x.back() - y) * (x.back() - y);
    }
    if (uniform(engine, 0, 1) < std::exp(-0.5 * squares)) {
      return x;
    }
  }
}
Point simplex_modes(Engine& engine) {
  const std::size_t high = uniform(engine, 0, 1) < 0.1 ? 0 : 1;
  Point x;
  double total = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    x.push_back(std::gamma_distribution<double>(i == high ? 100.0 : 3.0)(engine));
    total += x.back();
  }
  for (double& v : x) {
    v /= total;
  }
  return x;
}

TEST(Judge, FindsExactDrawsRight) {
  const std::vector<std::pair<const char*, Sampler>> samplers{
      {"funnel in a box, 10 dims", funnel},
      {"banana, strong", banana},
      {"ring, thin", ring},
      {"a hole at the centre", hole},
      {"hierarchy, mild", hierarchy},
      {"two modes on a simplex, 1:9, 10 categories", simplex_modes}};
  const std::vector<Case> cases = all_cases();
  for (const auto& [name, sampler] : samplers) {
    const Case& one = case_of(cases, name);
    Engine engine(1);
    const auto run = made(4, 20'000, [&, sampler = sampler] { return sampler(engine); });
    const Judgement judgement = judge_draws(one, run->draws, double(comparisons_of(one)));
    EXPECT_EQ(judgement.outcome, Outcome::right) << name << ": " << judgement.worst;
  }
}

// Right runs with autocorrelation, as many as one likes, are not called wrong: 1,000 runs of normal
// variables with lag-one correlation 0.8, taken to laws with walls, skew and heavy tails.
TEST(Judge, DoesNotCallRightRunsWrong) {
  const double z = normal_quantile(0.95), w = std::exp(1);
  struct Kind {
    const char* name;
    Law law;
    std::size_t normals;
    double (*x)(const std::vector<double>& z);
  };
  const std::array<Kind, 4> kinds{
      Kind{"normal", normal_law(0, 1), 1, [](const std::vector<double>& n) { return n[0]; }},
      Kind{"arcsine", beta_law(0.5, 0.5), 1,
           [](const std::vector<double>& n) {
             const double s = std::sin(0.5 * M_PI * normal_cdf(n[0]));
             return s * s;
           }},
      Kind{"lognormal",
           Law{.mean = std::exp(0.5),
               .sd = std::sqrt((w - 1) * w),
               .kurtosis = w * w * w * w + 2 * w * w * w + 3 * w * w - 3,
               .q5 = std::exp(-z),
               .q95 = std::exp(z)},
           1, [](const std::vector<double>& n) { return std::exp(n[0]); }},
      Kind{"t with 5 degrees", student_law(5), 6, [](const std::vector<double>& n) {
             double squares = 0;
             for (std::size_t i = 1; i < 6; ++i) {
               squares += n[i] * n[i];
             }
             return n[0] / std::sqrt(squares / 5);
           }}};
  constexpr int runs = 250;
  const double comparisons = 4.0 * double(kinds.size()) * runs;
  for (const auto& [name, law, normals, x] : kinds) {
    Engine engine(2);
    for (int r = 0; r < runs; ++r) {
      std::vector<double> state;
      std::size_t step = 0;
      const auto run = made(4, 1000, [&, normals = normals, x = x] {
        if (step++ % 1000 == 0) {
          state.clear();
          for (std::size_t i = 0; i < normals; ++i) {
            state.push_back(normal(engine));
          }
        }
        for (double& s : state) {
          s = 0.8 * s + 0.6 * normal(engine);
        }
        return Point{x(state)};
      });
      const Judgement judgement = judge_draws(normal_case(law), run->draws, comparisons);
      EXPECT_NE(judgement.outcome, Outcome::wrong) << name << ": " << judgement.worst;
    }
  }
}

Outcome outcome_of(const Law& law, const std::function<double(std::size_t, Engine&)>& draw) {
  Engine engine(3);
  std::size_t k = 0;
  const auto run = made(4, 1000, [&] { return Point{draw(k++, engine)}; });
  return judge_draws(normal_case(law), run->draws, 1e5).outcome;
}

TEST(Judge, SeesWhatIsWrong) {
  const Law law = normal_law(0, 1);
  EXPECT_EQ(outcome_of(law, [](auto, Engine& e) { return normal(e); }), Outcome::right);
  EXPECT_EQ(outcome_of(law, [](auto, Engine& e) { return 0.15 + normal(e); }), Outcome::wrong);
  EXPECT_EQ(outcome_of(law, [](auto, Engine& e) { return 1.15 * normal(e); }), Outcome::wrong);
  EXPECT_EQ(outcome_of(law, [](auto, Engine&) { return 0.0; }), Outcome::wrong);
  EXPECT_EQ(outcome_of(law, [](auto k, Engine& e) { return k == 77 ? NAN : normal(e); }),
            Outcome::wrong);
  // The right quantiles, a wrong upper end.
  EXPECT_EQ(outcome_of(law, [](auto, Engine& e) { return std::min(normal(e), 1.5); }),
            Outcome::wrong);
  // A mode with 1 % of the mass, 10 sd away, where no chain has been: quantiles show nothing.
  const std::vector<Bump> bumps = two_bumps(1, 0, 10, 0.99);
  EXPECT_EQ(outcome_of(mixture_laws(bumps, -50, 50)[0], [](auto, Engine& e) { return normal(e); }),
            Outcome::wrong);
}

TEST(Judge, DoesNotCallShortRunsRight) {
  // Chains that disagree, and chains that creep.
  EXPECT_EQ(outcome_of(mixture_laws(two_bumps(1, -5, 10), -50, 50)[0],
                       [](std::size_t k, Engine& e) { return (k < 2000 ? -5 : 5) + normal(e); }),
            Outcome::unclear);
  double state = 0;
  EXPECT_EQ(outcome_of(normal_law(0, 1),
                       [&](auto, Engine& e) { return state = 0.95 * state + 0.312 * normal(e); }),
            Outcome::unclear);
}

}  // namespace
}  // namespace tain::verdicts
