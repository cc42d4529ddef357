// What is known of a coordinate of a target, and how it is computed without sampling.
//
// Definition: a Law is the mean, sd, kurtosis and the 5 % and 95 % quantiles of one coordinate.
//   law_of integrates a density: Gauss-Legendre with 8 nodes on 16 pieces of every panel between
//   two breaks, which the caller puts where the density is not smooth or changes fast.
// Numerics: everything is computed again with 32 pieces; std::logic_error where the two differ by
//   more than 1e-5 sd, so that a Law is right to about that. Densities may have any scale.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tain::verdicts {

struct Law {
  double mean = 0, sd = 1;
  double kurtosis = 3;  ///< E (x - mean)^4 / sd^4
  double q5 = 0, q95 = 0;
  bool has_moments = true;  ///< else quantiles only, and sd is (q95 - q5) / 3.29

  bool operator==(const Law&) const = default;
};

using Function = std::function<double(double)>;

/// Of a + b x.
Law shifted(const Law& law, double a, double b);

/// Of x(u), increasing, where u has this density up to a constant between first and last break.
Law law_of(const Function& density, std::vector<double> breaks, const Function& x = {});
/// The integral alone, with 16 pieces per panel.
double integral(const Function& f, std::span<const double> breaks);
/// t with f(t) = p, f increasing, by bisection.
double root_of(const Function& f, double p, double low, double high);
/// Of a law without moments.
Law quantiles_only(double q5, double q95);

Law normal_law(double mean, double sd);
Law truncated_normal_law(double mean, double sd, double low, double high);
Law beta_law(double a, double b);
std::vector<Law> dirichlet_laws(std::span<const double> alpha);
/// mean + scale t with nu degrees of freedom.
Law student_law(double nu, double mean = 0, double scale = 1);

/// -log density at a point, up to a constant.
using Energy = std::function<double(std::span<const double> x)>;
/// Of both coordinates on a rectangle.
std::vector<Law> rectangle_laws(const Energy& V, const std::vector<double>& breaks_1,
                                const std::vector<double>& breaks_2);
/// Of the three coordinates on the simplex with three categories.
std::vector<Law> triangle_laws(const Energy& V);
/// Of both coordinates on the unit disc.
std::vector<Law> disc_laws(const Energy& V);

/// A normal with independent coordinates, as a part of a mixture.
struct Bump {
  double weight = 1;
  std::vector<double> mean, sd;
};
/// Of a mixture restricted to low < x_i < high in every coordinate.
std::vector<Law> mixture_laws(std::span<const Bump> bumps, double low, double high);

}  // namespace tain::verdicts
