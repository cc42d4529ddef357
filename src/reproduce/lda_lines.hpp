// Runs of one method with one step size and several seeds, taken together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/lda.hpp"

namespace tain {

/// Mean over runs at one look; the error is the standard error of that mean, 0 for a single run.
struct LdaMean {
  std::uint64_t documents = 0;
  double seconds = 0, average = 0, error = 0;
};

struct LdaLine {
  std::string method;
  std::uint32_t topics = 0;
  double step_size = 0;
  std::vector<const LdaCurve*> runs;
  std::vector<LdaMean> points;  ///< looks that all runs got to
};

/// Lines of a method and number of topics in the order of the study: the grid's best first.
std::vector<LdaLine> lines_of(const std::vector<LdaCurve>& curves, std::string_view method,
                              std::uint32_t topics);

/// How far b lies above a, run by run over the seeds that both have: mean of the differences and
/// its standard error (infinite for fewer than two runs).
struct LdaGap {
  double mean = 0, error = 0;
  /// By more than three standard errors.
  bool clear() const { return mean > 3 * error; }
};
LdaGap gap_at(const LdaLine& a, const LdaLine& b, std::size_t look);

/// First look at which a line's mean is at or below a level, by documents or seconds.
const LdaMean* first_below(const LdaLine& line, double level);

/// "SMLD-approximate", ...
std::string method_name(std::string_view method);
/// "SMLD-approximate, a = 0.01"
std::string line_name(const LdaLine& line);

}  // namespace tain
