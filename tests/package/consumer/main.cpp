// A program outside the project: samples a Dirichlet posterior whose counts it reads, and checks
// one mean against the exact one.
#include <cmath>
#include <cstdio>
#include <tain/core/parallel.hpp>
#include <tain/diagnose/convergence.hpp>
#include <tain/draws/table.hpp>
#include <tain/maps/simplex.hpp>
#include <tain/run/sampler.hpp>
#include <tain/targets/dirichlet.hpp>
#include <tain/text/bag.hpp>

namespace {
struct Quiet final : tain::Observer {
  tain::Next on_progress(const tain::Progress&) override { return tain::Next::go_on; }
};
}  // namespace

int main() {
  tain::Threads threads(1);
  tain::Bag bag;
  tain::read_bags(tain::Format::ldac, std::make_unique<tain::MemoryBytes>("3 0:4 1:3 2:1", "line"))
      ->next(bag);
  const tain::Problem problem{
      tain::Simplex::symmetric(3),
      tain::DirichletPosterior({bag.counts.begin(), bag.counts.end()}, {1, 1, 1})};
  tain::Sampler sampler(problem, {.warmup = 300, .draws = 500}, threads);
  auto table = tain::DrawTable::in_memory({4, 500, 3, 2});
  Quiet quiet;
  sampler.run(table, quiet);
  std::vector<double> first;
  for (std::size_t k = 0; k < table.primal().size(); k += 3) {
    first.push_back(table.primal()[k]);
  }
  const tain::Series series{first, 4, 500};
  double mean = 0;
  for (const double v : first) {
    mean += v / double(first.size());
  }
  const double z = (mean - 5.0 / 11) / tain::mcse_mean(series);
  std::printf("mean %.4f, exact %.4f, z %.2f\n", mean, 5.0 / 11, z);
  return std::abs(z) < 5 ? 0 : 1;
}
