// Ensembles in float against the double kernels, the formula, and the exact law.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/special.hpp"
#include "kernels/langevin.hpp"
#include "maps/simplex.hpp"
#include "reproduce/simplex_ensemble.hpp"
#include "support/isa.hpp"
#include "support/statistics.hpp"
#include "targets/mirrored.hpp"

namespace tain::ensemble_test {
namespace {

DirichletPosterior papers_posterior() {
  std::vector<double> counts(11, 0.0);
  counts[0] = 10000;
  counts[1] = counts[2] = 10;
  return {counts, std::vector<double>(11, 0.1)};
}

const std::vector<double> uniform(11, 1.0 / 11);

FloatBlockStorage run(const SimplexEnsemble& ensemble, std::uint64_t steps, std::size_t lanes,
                      std::uint32_t first = 0) {
  FloatBlockStorage state(ensemble.rows(), lanes);
  ensemble.place(uniform, state.view());
  ensemble.advance(NoiseField(5), first, 0, steps, state.view());
  return state;
}

class Ensemble : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, Ensemble, ::testing::ValuesIn(supported_isas()), testing::isa_label);

// Largest difference between ensemble and double kernel over all lanes and coordinates.
double distance_to_kernel(const SimplexEnsemble& ensemble, std::size_t reference, double beta,
                          std::uint64_t steps) {
  const AnyPotential W =
      mirrored(SimplexMap::with_reference(11, reference), papers_posterior(), DualForm::closed);
  const Langevin mld(Langevin::Adjust::none);
  Workspace ws;
  ChainBlock chains(0, 64, 10);  // y = 0 is x = 1/11
  evaluate(W, chains, ws);
  StepInfo info(64);
  for (std::uint64_t t = 0; t < steps; ++t) {
    mld.advance(W, NoiseField(5), t, {.step_size = beta}, chains, info, ws);
  }
  const FloatBlockStorage state = run(ensemble, steps, 64);
  double largest = 0;
  for (std::size_t i = 0; i < state.view().size(); ++i) {
    largest = std::max(largest, std::abs(state.view().flat()[i] - chains.y.view().flat()[i]));
  }
  return largest;
}

// A step adds the rounding of y (|y| < 32: 2^-20) and that of beta A x (2e-7 of it), and the drift
// contracts: the sum over the steps bounds the distance.
TEST_P(Ensemble, MldIsTheDoubleKernelUpToRounding) {
  const DirichletPosterior posterior = papers_posterior();
  const double beta = 1e-3;
  const std::uint64_t steps = 60;
  const double bound = double(steps) * (0x1p-20 + 4e-7 * beta * posterior.total());
  for (const std::size_t reference : {std::size_t{10}, std::size_t{0}, std::size_t{4}}) {
    const auto ensemble = SimplexEnsemble::mld(posterior, reference, beta);
    EXPECT_LT(distance_to_kernel(ensemble, reference, beta, steps), bound) << reference;
    const auto other_step = SimplexEnsemble::mld(posterior, reference, 1.01 * beta);
    EXPECT_GT(distance_to_kernel(other_step, reference, beta, steps), bound);
  }
}

TEST_P(Ensemble, SgrldIsItsFormulaUpToRounding) {
  const DirichletPosterior posterior = papers_posterior();
  const double eps = 1e-5, total = 10020;
  const std::size_t lanes = 24;
  const std::uint64_t steps = 40;
  std::vector<double> theta(11 * lanes, 1.1 / 11);
  FloatBlockStorage xi(11, lanes);
  for (std::uint64_t t = 0; t < steps; ++t) {
    NoiseField(5).normals(Purpose::proposal, t, 0, xi.view());
    for (std::size_t l = 0; l < lanes; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < 11; ++i) {
        sum += theta[i * lanes + l];
      }
      for (std::size_t i = 0; i < 11; ++i) {
        double& own = theta[i * lanes + l];
        const double drift = posterior.alpha()[i] - own + posterior.counts()[i] - total * own / sum;
        own = std::abs(own + eps * drift + std::sqrt(2 * eps * own) * xi.view().at(i, l));
      }
    }
  }
  const auto state = run(SimplexEnsemble::sgrld(posterior, eps), steps, lanes);
  const auto wrong = run(SimplexEnsemble::sgrld(posterior, 1.02 * eps), steps, lanes);
  double largest = 0, of_wrong = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    largest = std::max(largest, std::abs(state.view().flat()[i] - theta[i]));
    of_wrong = std::max(of_wrong, std::abs(wrong.view().flat()[i] - theta[i]));
  }
  // theta < 2: roundings of 2^-23, of the drift 2e-7 eps N, and of a square root where theta is
  // small, which doubles relative errors: 1e-4 in all is generous, and a 2 % larger step passes it.
  EXPECT_LT(largest, 1e-4);
  EXPECT_GT(of_wrong, 1e-3);
}

TEST_P(Ensemble, BitsDependOnTheChainAlone) {
  const auto ensemble = SimplexEnsemble::mld(papers_posterior(), 10, 1e-3);
  const FloatBlockStorage whole = run(ensemble, 30, 40), part = run(ensemble, 30, 16, 24);
  FloatBlockStorage stopped(10, 40);
  ensemble.place(uniform, stopped.view());
  ensemble.advance(NoiseField(5), 0, 0, 13, stopped.view());
  ensemble.advance(NoiseField(5), 0, 13, 30, stopped.view());
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t l = 0; l < 16; ++l) {
      EXPECT_EQ(whole.view().at(i, 24 + l), part.view().at(i, l));
      EXPECT_EQ(whole.view().at(i, 24 + l), stopped.view().at(i, 24 + l));
    }
  }
}

TEST(EnsembleIsa, Avx2AndAvx512GiveTheSameBits) {
  if (supported_isas().back() != Isa::avx512) {
    GTEST_SKIP() << "needs AVX-512";
  }
  for (const auto& ensemble : {SimplexEnsemble::mld(papers_posterior(), 10, 1e-3),
                               SimplexEnsemble::sgrld(papers_posterior(), 1e-5)}) {
    pin_isa(Isa::avx2);
    const FloatBlockStorage narrow = run(ensemble, 50, 40);
    pin_isa(Isa::avx512);
    const FloatBlockStorage wide = run(ensemble, 50, 40);
    for (std::size_t i = 0; i < wide.view().size(); ++i) {
      ASSERT_EQ(narrow.view().flat()[i], wide.view().flat()[i]) << i;
    }
  }
}

// log x_k after `steps` steps, many chains.
testing::Draws log_draws(const SimplexEnsemble& ensemble, std::vector<double> start,
                         std::size_t category, std::uint64_t steps) {
  return [=](std::uint64_t stream, std::size_t n) {
    FloatBlockStorage state(ensemble.rows(), padded_lanes(n)), log_x(1, padded_lanes(n));
    ensemble.place(start, state.view());
    ensemble.advance(NoiseField(60 + stream), 0, 0, steps, state.view());
    ensemble.log_primal(state.view(), {&category, 1}, log_x.view());
    return std::vector<double>(log_x.view().row(0), log_x.view().row(0) + n);
  };
}

// The bias of mld at beta = 0.01 is 0.01 * 13 / 4 = 3 % of a variance at most, which 20,000 draws
// do not see; at beta = 0.25 it nearly doubles.
TEST(EnsembleLaw, MldReachesTheExactMarginals) {
  const DirichletPosterior posterior({6, 3, 1, 0}, {0.8, 0.8, 0.8, 0.8});
  const std::vector<double> start(4, 0.25);
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = posterior.weights()[k], b = posterior.total() - a;
    const auto cdf = [=](double log_x) { return beta_cdf(std::min(log_x, 0.0), a, b); };
    testing::expect_distribution(
        log_draws(SimplexEnsemble::mld(posterior, 2, 0.01), start, k, 1500), cdf);
    EXPECT_TRUE(testing::detects_distribution(
        log_draws(SimplexEnsemble::mld(posterior, 2, 0.25), start, k, 150), cdf))
        << k;
  }
}

}  // namespace
}  // namespace tain::ensemble_test
