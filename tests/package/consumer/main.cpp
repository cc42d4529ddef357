// A program outside the project: samples a Dirichlet posterior and checks one mean against the
// exact one.
#include <cmath>
#include <cstdio>
#include <tain/tain.hpp>

int main() {
  const tain::Run run =
      tain::sample(tain::dirichlet({.counts = {4, 3, 1}}), {.warmup = 300, .draws = 500});
  const tain::ExactMoment mean = run.exact().front();
  std::printf("%s %.4f, exact %.4f, z %.2f\n", mean.name.c_str(), mean.estimate, mean.exact,
              mean.z);
  return std::abs(mean.z) < 5 ? 0 : 1;
}
