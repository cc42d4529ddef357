// Mass that draws lack although they agree with one another: found by integrals of exp(-W), which
// owe nothing to the chains.
//
// Definition: rays. With m a mode, Sigma = L L^T the covariance of the draws in the dual and u
//   uniform on the unit sphere, the mass of a shell around m is
//     |L| S_d int E_u[exp(-W(m + r L u))] r^(d-1) dr,     S_d the area of the sphere,
//   and that of the whole, where draws lack nothing, at most
//     log Z = log det(2 pi e Sigma) / 2 - E[W]
//   since no law of that covariance has more entropy than the Gaussian, and what the rays have
//   together where they agree to a factor of two.
//   Lines. How much mass lies beyond the outermost 2 % (0.25 %) of the draws at either end of a
//   coordinate is the mean over draws of what the density along it, through the draw, says.
//   Of 32 rays and of the lines of a coordinate the quarter with most mass is left out. All of this
//   errs to one side: a part has more mass than it is said to have.
// Catches: a narrow peak on a broad base, or a broad base below a narrow peak, that chains hardly
//   leave; ends of coordinates, such as walls, that steps hardly enter.
// Cost: about 700 evaluations of W for each of at most three modes (more above 10 coordinates, none
//   above 40), 2,000 for lines along the two most skewed coordinates, 256 for E[W].
#pragma once

#include <optional>
#include <vector>

#include "random/noise.hpp"
#include "run/survey.hpp"
#include "tain/draws/draws.hpp"

namespace tain {

/// A part of the dual, and how much is there.
struct Unvisited {
  /// Around `from`, as far as `to`; further from `from` than `to`; beyond `to` along a coordinate.
  enum class Part { around, outside, beyond };
  Part part = Part::around;
  std::vector<double> from, to;
  double mass = 0, draws = 0;  ///< its share of all mass, and of the draws
};

/// The part that lacks most, in terms of the error of a thousand draws; none: nothing that matters.
std::optional<Unvisited> unvisited_mass(const AnyPotential& W, const Survey& survey,
                                        const Draws& draws, const NoiseField& noise);

}  // namespace tain
