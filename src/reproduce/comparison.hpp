// The words that findings are made of: which of several curves is lowest, and is it clearly so?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/findings.hpp"

namespace tain {

// Marginals of a study, in its order.
inline constexpr std::size_t first_width = 0, first_probability = 1, eighth_width = 2,
                             eighth_probability = 3;

using Curves = std::vector<const Curve*>;

/// All curves of a sampler in some coordinates.
Curves curves_of(const std::vector<Curve>& curves, std::string_view sampler,
                 std::string_view coordinates);

struct Lowest {
  const Curve* curve = nullptr;
  double distance = std::numeric_limits<double>::infinity(), error = 0;
};
/// The curve that is lowest at its point `back` from the end (0: the last).
Lowest lowest(const Curves& curves, std::size_t marginal, std::size_t back = 0);
/// By more than three times the error of the difference.
bool clearly_lower(const Lowest& a, const Lowest& b);
/// Last iteration at which the lowest of `a` is clearly below the lowest of `b`; none: never.
std::optional<std::uint64_t> last_clear_lead(const Curves& a, const Curves& b,
                                             std::size_t marginal);

std::string number(double value);                ///< three digits
std::string coordinate_name(const Marginal& m);  ///< "coordinate 8"

/// What the paper does not ask, in the order of the page.
std::vector<StudyFinding> questions(const SyntheticStudy& study);

}  // namespace tain
