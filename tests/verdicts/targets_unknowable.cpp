// What no method that knows values and gradients where its chains have been can find out.
#include <cmath>

#include "cases.hpp"

namespace tain::verdicts {
namespace {

// Half of the mass uniform on (0, 1), half in N(0.3, 1e-6^2): quadrature with breaks around the
// spike. A chain meets the spike once in a million draws.
Case spike() {
  constexpr double at = 0.3, width = 1e-6;
  const auto density = [](double x) {
    const double z = (x - at) / width;
    return 1 + std::exp(-0.5 * z * z) / (width * std::sqrt(2 * M_PI));
  };
  return {"a spike of width 1e-6",
          Class::unknowable,
          box(0, 1, 1),
          code(1,
               [density](std::span<const double> x, std::span<double> g) {
                 const double p = density(x[0]);
                 g[0] = (p - 1) * (x[0] - at) / (width * width) / p;
                 return -std::log(p);
               }),
          {law_of(density,
                  {0, at - 12 * width, at - 3 * width, at, at + 3 * width, at + 12 * width, 1})}};
}

// Half of the mass N(0, 1), half in N(1, 1e-6^2), in both of 2 coordinates together: a mixture of
// normals.
Case spike_in_plane() {
  const std::vector<Bump> bumps{{0.5, {0, 0}, {1, 1}}, {0.5, {1, 1}, {1e-6, 1e-6}}};
  return {"a spike of width 1e-6, 2 dims", Class::unknowable, real(2), mixture(bumps),
          mixture_laws(bumps, -20, 20)};
}

// Half of the mass N(-1, I), half N(2, 0.01 I), in 5 dimensions: W slopes towards the narrow one
// only within 0.8 of it, which is one of 30,000 directions from the wide one, 6.7 sd away.
Case narrow_in_five() {
  const std::vector<Bump> bumps{{0.5, std::vector<double>(5, -1.0), std::vector<double>(5, 1.0)},
                                {0.5, std::vector<double>(5, 2.0), std::vector<double>(5, 0.1)}};
  return {"two widths, 1:10, 5 dims", Class::unknowable, real(5), mixture(bumps),
          mixture_laws(bumps, -150, 150)};
}

// log p of N(0, 1/4 I) where V is meant, in a box: the density exp(+2 |x|^2) is a proper law, but
// not the one that was meant, truncated normals with sd 1/2.
Case log_density_in_box() {
  return {"log p where V is meant, in a box", Class::unknowable, box(-1, 1, 2),
          code(2,
               [](std::span<const double> x, std::span<double> g) {
                 g[0] = -4 * x[0];
                 g[1] = -4 * x[1];
                 return -2 * (x[0] * x[0] + x[1] * x[1]);
               }),
          std::vector<Law>(2, truncated_normal_law(0, 0.5, -1, 1))};
}

}  // namespace

std::vector<Case> unknowable_cases() {
  return {spike(), spike_in_plane(), narrow_in_five(), log_density_in_box()};
}

}  // namespace tain::verdicts
