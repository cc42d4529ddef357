#include "targets/undefined.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tain/core/error.hpp"

namespace tain {

bool is_undefined_here(const std::exception& thrown) {
  const auto* error = dynamic_cast<const Error*>(&thrown);  // libraries return numbers
  return (error && error->fault() == Fault::data) || dynamic_cast<const UndefinedHere*>(&thrown) ||
         dynamic_cast<const std::domain_error*>(&thrown) ||
         dynamic_cast<const std::range_error*>(&thrown);
}

void evaluate_where_defined(const AnyPotential& W, ConstBlock y, std::span<double> value,
                            Block grad, Workspace& ws) {
  try {
    W.evaluate(y, value, grad, ws);
    return;
  } catch (const std::exception& thrown) {
    if (!is_undefined_here(thrown)) {
      throw;
    }
  }
  const Workspace::Scope scope(ws);
  const Block point = ws.block(y.rows(), lane_group), slope = ws.block(y.rows(), lane_group);
  const std::span<double> at = ws.array(lane_group);
  for (std::size_t l = 0; l < y.lanes(); ++l) {
    for (std::size_t i = 0; i < y.rows(); ++i) {
      std::fill_n(point.row(i), lane_group, y.at(i, l));
    }
    bool defined = true;
    try {
      W.evaluate(point, at, slope, ws);
    } catch (const std::exception& thrown) {
      if (!is_undefined_here(thrown)) {
        throw;
      }
      defined = false;
    }
    value[l] = defined ? at[0] : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < y.rows(); ++i) {
      grad.at(i, l) = defined ? slope.at(i, 0) : 0.0;
    }
  }
}

}  // namespace tain
