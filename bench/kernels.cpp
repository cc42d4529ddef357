// Time of one step per chain and coordinate, many chains on one core.
#include <benchmark/benchmark.h>

#include <string>

#include "maps/simplex.hpp"
#include "reproduce/simplex_ensemble.hpp"
#include "run/walk.hpp"
#include "targets/dirichlet.hpp"

namespace {

tain::DirichletPosterior papers_posterior() {
  std::vector<double> counts(11, 0.0);
  counts[0] = 10000;
  counts[1] = counts[2] = 10;
  return {counts, std::vector<double>(11, 0.1)};
}

// The paper's posterior, 4,096 chains in blocks of 256 lanes; one item is one coordinate of one
// chain.
void step(benchmark::State& state, const std::string& kernel_name, const tain::SimplexMap& map) {
  using namespace tain;
  const DirichletPosterior target = papers_posterior();
  SamplePlan plan;
  plan.kernel = kernel_name;
  const Walk walk = make_walk({map, target}, plan);
  const AnyPotential& W = walk.potential;
  const NoiseField noise(1);
  Workspace ws;
  std::vector<ChainBlock> blocks;
  for (std::uint32_t first = 0; first < 4096; first += 256) {
    blocks.emplace_back(first, 256, W.dim());
    evaluate(W, blocks.back(), ws);
  }
  StepInfo info(256);
  Tuning tuning;
  tuning.step_size = 1e-5;
  tuning.trajectory_length = 1e-5;
  std::uint64_t t = 0;
  for (auto _ : state) {
    for (ChainBlock& block : blocks) {
      walk.kernel->advance(W, noise, t, tuning, block, info, ws);
    }
    ++t;
  }
  state.SetItemsProcessed(std::int64_t(t) * 4096 * std::int64_t(W.dim()));
  state.counters["ns_per_coordinate"] =
      benchmark::Counter(double(t) * 4096 * double(W.dim()) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["ns_per_chain_step"] = benchmark::Counter(
      double(t) * 4096 * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(step, mld_reference, "mld", tain::SimplexMap::with_reference(11, 0));
BENCHMARK_CAPTURE(step, mld_symmetric, "mld", tain::SimplexMap::symmetric(11));
BENCHMARK_CAPTURE(step, mala_reference, "mala", tain::SimplexMap::with_reference(11, 0));
BENCHMARK_CAPTURE(step, hmc_one_leapfrog_reference, "hmc", tain::SimplexMap::with_reference(11, 0));

// Ensembles of the synthetic study: 512 chains, 1,000 steps a call; and the normals alone that such
// steps use, as NoiseField makes them for blocks of the same shape and of 100 coordinates.
void per_coordinate(benchmark::State& state, double coordinates) {
  state.counters["ns_per_coordinate"] =
      benchmark::Counter(double(state.iterations()) * coordinates * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void ensemble(benchmark::State& state, const tain::SimplexEnsemble& chains) {
  using namespace tain;
  FloatBlockStorage block(chains.rows(), 512);
  chains.place(std::vector<double>(11, 1.0 / 11), block.view());
  const NoiseField noise(1);
  std::uint64_t t = 0;
  for (auto _ : state) {
    chains.advance(noise, 0, t, t + 1000, block.view());
    t += 1000;
  }
  per_coordinate(state, 1000.0 * 512 * double(chains.rows()));
}

void normals(benchmark::State& state) {
  using namespace tain;
  FloatBlockStorage block(static_cast<std::size_t>(state.range(0)), 512);
  const NoiseField noise(1);
  std::uint64_t t = 0;
  for (auto _ : state) {
    noise.normals(Purpose::proposal, t++, 0, block.view());
    benchmark::ClobberMemory();
  }
  per_coordinate(state, 512.0 * double(state.range(0)));
}

BENCHMARK(normals)->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(ensemble, mld, tain::SimplexEnsemble::mld(papers_posterior(), 10, 0.005));
BENCHMARK_CAPTURE(ensemble, sgrld, tain::SimplexEnsemble::sgrld(papers_posterior(), 1e-6));

}  // namespace

BENCHMARK_MAIN();
