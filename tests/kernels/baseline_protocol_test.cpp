// What every kernel promises (kernels/kernel.hpp), kept by the baselines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/baselines/myula.hpp"
#include "kernels/baselines/plmc.hpp"
#include "kernels/baselines/scir.hpp"
#include "kernels/baselines/sgrhmc.hpp"
#include "kernels/baselines/sgrld.hpp"
#include "maps/box.hpp"
#include "support/projections.hpp"
#include "targets/expanded_mean.hpp"
#include "targets/gaussian.hpp"

namespace tain::baseline_protocol_test {
namespace {

struct Baseline {
  std::string label;
  std::shared_ptr<const Kernel> kernel;
  AnyPotential potential;
  bool batches = false;
};

const DirichletPosterior posterior({8, 2, 0, 1}, {0.6, 0.9, 1.1, 0.7});

std::vector<Baseline> all() {
  const Batching with{.size = 3, .replacement = Replacement::with}, without{.size = 4};
  const Projection set = *projection_onto(BoxMap({0, 0, 0, 0}, {1, 1, 1, 1}));
  const Projection hull = *projection_onto_hull(BoxMap({0, 0, 0, 0}, {1, 1, 1, 1}));
  const AnyPotential gaussian =
      Gaussian::diagonal({0.2, 0.4, 0.9, 0.5}, std::vector{0.3, 0.5, 0.4, 1.0});
  const ExpandedMean expanded(posterior);
  const LogGammas logs(posterior);
  return {{"sgrld", std::make_shared<Sgrld>(), expanded},
          {"sgrhmc", std::make_shared<Sgrhmc>(), expanded},
          {"scir", std::make_shared<Scir>(posterior), logs},
          {"plmc", std::make_shared<Plmc>(set), gaussian},
          {"myula", std::make_shared<Myula>(set, hull, 0.05), Extended(gaussian, set)},
          {"sgrld_batch", std::make_shared<Sgrld>(with), expanded, true},
          {"sgrhmc_batch", std::make_shared<Sgrhmc>(without), expanded, true},
          {"scir_batch", std::make_shared<Scir>(posterior, with), logs, true}};
}

class BaselineProtocol : public ::testing::TestWithParam<Baseline> {};
INSTANTIATE_TEST_SUITE_P(Kernels, BaselineProtocol, ::testing::ValuesIn(all()),
                         [](const auto& test) { return test.param.label; });

ChainBlock chains_of(const Baseline& b, std::uint32_t first, std::size_t count, Workspace& ws) {
  ChainBlock chains(first, count, 4, b.kernel->memory_rows(4));
  for (double& y : chains.y.view().flat()) {
    y = 0.4;
  }
  evaluate(b.potential, chains, ws);
  b.kernel->prepare(chains);
  return chains;
}

TEST_P(BaselineProtocol, BitsDoNotDependOnHowChainsAreCutIntoBlocks) {
  const Baseline& b = GetParam();
  const NoiseField noise(4);
  const Tuning tuning{.step_size = 0.02};
  Workspace ws;
  const auto advanced = [&](std::uint32_t first, std::size_t count) {
    ChainBlock chains = chains_of(b, first, count, ws);
    StepInfo info(chains.lanes());
    for (std::uint64_t t = 0; t < 9; ++t) {
      b.kernel->advance(b.potential, noise, t, tuning, chains, info, ws);
    }
    return chains;
  };
  const ChainBlock whole = advanced(0, 24);
  bool moved = false;
  for (const std::uint32_t first : {0u, 8u, 16u}) {
    const ChainBlock part = advanced(first, 8);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t l = 0; l < 8; ++l) {
        EXPECT_EQ(whole.y.view().at(i, first + l), part.y.view().at(i, l));
        moved = moved || part.y.view().at(i, l) != whole.y.view().at(i, 0);
      }
    }
  }
  EXPECT_TRUE(moved);  // chains differ
}

TEST_P(BaselineProtocol, ValueAndGradientBelongToTheStateOrAreLeftAlone) {
  const Baseline& b = GetParam();
  Workspace ws;
  ChainBlock chains = chains_of(b, 0, 16, ws);
  const auto slope_of = [&] {
    const std::span<const double> grad = chains.grad.view().flat();
    return std::vector<double>(grad.begin(), grad.end());
  };
  const std::vector<double> at_start = slope_of();
  StepInfo info(16);
  for (std::uint64_t t = 0; t < 5; ++t) {
    b.kernel->advance(b.potential, NoiseField(9), t, {.step_size = 0.02}, chains, info, ws);
  }
  const std::vector<double> slope = slope_of(), value = chains.value;
  if (b.batches) {
    EXPECT_EQ(slope, at_start);
    EXPECT_TRUE(std::ranges::all_of(value, [](double v) { return std::isnan(v); }));
    return;
  }
  evaluate(b.potential, chains, ws);
  EXPECT_EQ(value, chains.value);
  EXPECT_EQ(slope, slope_of());
}

TEST_P(BaselineProtocol, StatesThatAreNotFiniteAreReportedAndRefused) {
  const Baseline& b = GetParam();
  if (b.label.starts_with("scir") || b.batches) {
    return;  // scir looks at no gradient; batches draw theirs anew
  }
  Workspace ws;
  ChainBlock chains = chains_of(b, 0, 16, ws);
  chains.grad.view().at(1, 5) = std::nan("");
  StepInfo info(16);
  b.kernel->advance(b.potential, NoiseField(1), 0, {.step_size = 0.02}, chains, info, ws);
  for (std::size_t l = 0; l < 16; ++l) {
    EXPECT_EQ(info.divergent[l], l == 5 ? 1.0 : 0.0);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(chains.y.view().at(i, l) == 0.4, l == 5);
    }
  }
  if (chains.memory.rows() > 0) {
    EXPECT_EQ(chains.memory.view().at(1, 5), 0.0);
  }
}

TEST_P(BaselineProtocol, ItsFactsAreThoseOfABaseline) {
  const Kernel& kernel = *GetParam().kernel;
  EXPECT_FALSE(kernel.reports_acceptance());
  EXPECT_EQ(kernel.exact(), GetParam().label == "scir");
  EXPECT_EQ(kernel.gradients(3, {}), 1u);
  const double slowest = kernel.name() == "plmc" || kernel.name() == "myula" ? 3 / 0.1 : 1 / 0.1;
  EXPECT_DOUBLE_EQ(kernel.relaxation(std::vector{1.0, 3.0}, {.step_size = 0.1}), slowest);
}

// Theta cannot reach 0, from where no step leads away: tiny states and huge steps stay positive.
TEST(Sgrld, ThetaStaysPositiveAndFinite) {
  const AnyPotential U = ExpandedMean(posterior);
  Workspace ws;
  ChainBlock chains(0, 64, 4);
  std::ranges::fill(chains.y.view().flat(), 1e-290);
  evaluate(U, chains, ws);
  StepInfo info(64);
  for (std::uint64_t t = 0; t < 2000; ++t) {
    Sgrld().advance(U, NoiseField(3), t, {.step_size = 0.5}, chains, info, ws);
  }
  for (const double theta : chains.y.view().flat()) {
    EXPECT_TRUE(theta >= 1e-290 && std::isfinite(theta));
  }
}

}  // namespace
}  // namespace tain::baseline_protocol_test
