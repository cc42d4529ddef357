// Mini-batches on a logistic regression: variance of the gradient with and without control
// variates, and time per step, against whole gradients. One core.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "kernels/langevin.hpp"
#include "kernels/stochastic_langevin.hpp"
#include "maps/box.hpp"
#include "targets/mirrored.hpp"
#include "targets/regression.hpp"

namespace {

using namespace tain;

constexpr std::size_t rows = 10000, features = 20, chains = 64;
constexpr double step_size = 1e-5;

LogisticRegression make_target() {
  RegressionData data;
  data.source = "bench";
  data.rows = rows;
  Stream words(NoiseField(1), Purpose::check, 0, 0);
  for (std::size_t j = 0; j < features; ++j) {
    data.names.push_back(fmt::format("z{}", j));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    data.lines.push_back(i + 2);
    double mean = 0;
    for (std::size_t j = 0; j < features; ++j) {
      data.features.push_back(words.normal());
      mean += (j % 2 == 0 ? 0.4 : -0.2) * data.features.back();
    }
    data.responses.push_back(words.uniform() < 1 / (1 + std::exp(-mean)) ? 1 : 0);
  }
  return {data, 1};
}

struct Run {
  ChainBlock block;
  double seconds_per_step;  // of one chain
};

Run run(const Kernel& kernel, const AnyPotential& W, std::uint64_t warmup, std::uint64_t steps) {
  Workspace ws;
  ChainBlock block(0, chains, W.dim(), kernel.memory_rows(W.dim()));
  evaluate(W, block, ws);
  kernel.prepare(block);
  StepInfo info(chains);
  const NoiseField noise(3);
  const Tuning tuning{.step_size = step_size, .probe_every = std::uint64_t{1} << 40};
  for (std::uint64_t t = 0; t < warmup; ++t) {
    kernel.advance(W, noise, t, tuning, block, info, ws);
  }
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t t = warmup; t < warmup + steps; ++t) {
    kernel.advance(W, noise, t, tuning, block, info, ws);
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {std::move(block), seconds / double(steps * chains)};
}

/// E |g_B(y) - grad W(y)|^2 at the chains' states, over many batches; with an anchor the estimate
/// is corrected by it.
double variance(const AnyPotential& W, ConstBlock y, const std::optional<ConstBlock>& anchor,
                const Batching& batching) {
  constexpr std::uint64_t repeats = 40;
  Workspace ws;
  const std::size_t d = y.rows();
  BlockStorage exact(d, chains), exact_anchor(d, chains), at_y(d, chains), at_anchor(d, chains);
  std::vector<double> value(chains);
  W.evaluate(y, value, exact.view(), ws);
  W.evaluate(anchor.value_or(y), value, exact_anchor.view(), ws);
  double sum = 0;
  for (std::uint64_t k = 0; k < repeats; ++k) {
    const Workspace::Scope scope(ws);
    const Batches batches = draw_batches(NoiseField(5), k, 0, chains, rows, batching, ws);
    W.batch_gradient(y, batches, at_y.view(), ws);
    W.batch_gradient(anchor.value_or(y), batches, at_anchor.view(), ws);
    for (std::size_t n = 0; n < d * chains; ++n) {
      const double correction =
          anchor ? at_anchor.view().flat()[n] - exact_anchor.view().flat()[n] : 0.0;
      const double error = at_y.view().flat()[n] - correction - exact.view().flat()[n];
      sum += error * error;
    }
  }
  return sum / double(repeats * chains);
}

}  // namespace

int main() {
  const AnyPotential W = mirrored(BoxMap::identity(features), make_target());
  const Run whole = run(Langevin(Langevin::Adjust::none), W, 400, 100);
  fmt::print(
      "logistic regression, {} rows, {} features, {} chains; whole gradients: {:.1f} us per "
      "step and chain\n\n",
      rows, features, chains, 1e6 * whole.seconds_per_step);
  fmt::print("{:>6} {:>8} {:>12} {:>12} {:>8} {:>10} {:>10} {:>9}\n", "batch", "anchors",
             "variance", "with anchors", "ratio", "us/step", "anchored", "speed-up");
  for (const std::uint64_t size : {10, 100, 1000}) {
    const std::uint64_t every = rows / size;
    const Batching batching{size, Replacement::without};
    const Run plain = run(StochasticLangevin(batching, 0), W, 0, 2 * every);
    // Stop half-way between two anchors.
    const Run anchored =
        run(StochasticLangevin(batching, every), W, 2 * every, 2 * every + every / 2);
    const ConstBlock y = anchored.block.y.view();
    const double without = variance(W, y, std::nullopt, batching);
    const double with = variance(W, y, anchored.block.memory.view().slice(0, features), batching);
    fmt::print("{:>6} {:>8} {:>12.4g} {:>12.4g} {:>8.2g} {:>10.2f} {:>10.2f} {:>9.1f}\n", size,
               every, without, with, with / without, 1e6 * plain.seconds_per_step,
               1e6 * anchored.seconds_per_step, whole.seconds_per_step / plain.seconds_per_step);
  }
}
