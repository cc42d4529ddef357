// What a synthetic study shows, in sentences made from its figures.
//
// Slopes: least squares of log TV on log T between the first look below 80 % of the curve's largest
//   value and the last one above 150 % of its last value (before it saturates); the standard error
//   is that of the residuals. A curve decays like T^-1/2 if it is a power law there
//   (R^2 >= 0.9, at least 5 looks) with a slope within max(0.1, 2 standard errors) of -1/2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reproduce/synthetic.hpp"
#include "tain/reproduce/study.hpp"

namespace tain {

struct SlopeFit {
  CurveKey key;
  std::size_t marginal = 0;
  double slope = 0, error = 0, r_squared = 0;
  std::uint64_t first = 0, last = 0;  ///< iterations of the window
  std::size_t looks = 0;
};
/// None if fewer than three looks lie in the window.
std::optional<SlopeFit> fit_slope(const Curve& curve, std::size_t marginal);
/// R^2 >= 0.9 over at least 5 looks.
bool is_power_law(const SlopeFit& fit);
bool is_inverse_root(const SlopeFit& fit);

struct StudyFindings {
  std::vector<StudyFinding> findings;
  std::vector<SlopeFit> slopes;
};
StudyFindings find_in(const SyntheticStudy& study);

}  // namespace tain
