// A program outside the project: samples a Dirichlet posterior whose counts it reads, and checks
// one mean against the exact one.
#include <cmath>
#include <cstdio>
#include <tain/tain.hpp>
#include <tain/text/bag.hpp>

int main() {
  tain::Bag bag;
  tain::read_bags(tain::Format::ldac, std::make_unique<tain::MemoryBytes>("3 0:4 1:3 2:1", "line"))
      ->next(bag);
  const tain::Run run = tain::sample(
      tain::dirichlet({.counts = std::vector<double>(bag.counts.begin(), bag.counts.end())}),
      {.warmup = 300, .draws = 500});
  const tain::ExactMoment mean = run.exact().front();
  std::printf("%s %.4f, exact %.4f, z %.2f\n", mean.name.c_str(), mean.estimate, mean.exact,
              mean.z);
  return std::abs(mean.z) < 5 ? 0 : 1;
}
