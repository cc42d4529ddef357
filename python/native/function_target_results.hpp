// What a user's function returned, checked and copied into our blocks. Needs the interpreter's
// lock.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <span>

#include "function_target.hpp"

namespace tain::python {

/// (value, gradient) of `lanes` points as a function returned them: for one point a number and d
/// numbers, for a block arrays of shapes (n,) and (n, d). Throws Error (data) that says what came
/// and what was expected.
class Results {
 public:
  Results(const UserFunction& function, const pybind11::object& returned, Points points,
          std::size_t lanes, std::size_t dim);

  /// value[l] of every lane.
  void copy_values(std::span<double> value) const;
  /// Into lanes [first, first + lanes) of a block.
  void copy_gradient(Block grad, std::size_t first) const;

 private:
  void take_block(const UserFunction& function, pybind11::handle value);
  void take_point(const UserFunction& function, pybind11::handle value);

  std::size_t lanes_, dim_;
  pybind11::object values_, gradient_;  // arrays of doubles, where value_ is not enough
  double value_ = 0;                    // of one point
};

}  // namespace tain::python
