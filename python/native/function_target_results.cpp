#include "function_target_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "tain/core/error.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

std::string type_of(const py::handle& object) {
  return py::str(py::type::handle_of(object).attr("__name__")).cast<std::string>();
}

std::string shape_text(std::span<const std::size_t> shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0])
                           : fmt::format("({})", fmt::join(shape, ", "));
}

/// As an array of doubles; numbers of other real types are converted.
py::array doubles(const UserFunction& function, const py::handle& object, const char* what) {
  py::array array = py::isinstance<py::array>(object) ? py::reinterpret_borrow<py::array>(object)
                                                      : py::array::ensure(object);
  constexpr std::string_view real_kinds = "fiub";
  if (!array || real_kinds.find(array.dtype().kind()) == std::string_view::npos) {
    const std::string type = array && !array.dtype().is(py::dtype("O"))
                                 ? "of type " + py::str(array.dtype()).cast<std::string>()
                                 : fmt::format("a {} that is no array of numbers", type_of(object));
    fail(Fault::data, function.where(), fmt::format("its {} is {}", what, type),
         "return real numbers");
  }
  const bool aligned = (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  if (!py::isinstance<py::array_t<double>>(array) || !aligned) {
    array = array.attr("astype")(py::dtype::of<double>());
  }
  return array;
}

void check_shape(const UserFunction& function, const py::array& array, const char* what,
                 std::span<const std::size_t> expected, const char* remedy) {
  const std::vector<std::size_t> shape(array.shape(), array.shape() + array.ndim());
  if (!std::ranges::equal(shape, expected)) {
    fail(Fault::data, function.where(),
         fmt::format("its {} has shape {} where {} is expected", what, shape_text(shape),
                     shape_text(expected)),
         remedy);
  }
}

}  // namespace

Results::Results(const UserFunction& function, const py::object& returned, Points points,
                 std::size_t lanes, std::size_t dim)
    : lanes_(lanes), dim_(dim) {
  const bool sequence = PyTuple_Check(returned.ptr()) || PyList_Check(returned.ptr());
  if (!sequence || PySequence_Fast_GET_SIZE(returned.ptr()) != 2) {
    fail(Fault::data, function.where(),
         sequence ? fmt::format("it returned {} things where (value, gradient) is expected",
                                PySequence_Fast_GET_SIZE(returned.ptr()))
                  : fmt::format("it returned a {} where (value, gradient) is expected",
                                type_of(returned)),
         "return a pair: the potential, -log of the density, and its gradient");
  }
  gradient_ = doubles(function, PySequence_Fast_GET_ITEM(returned.ptr(), 1), "gradient");
  const py::handle value = PySequence_Fast_GET_ITEM(returned.ptr(), 0);
  if (points == Points::block) {
    take_block(function, value);
  } else {
    take_point(function, value);
  }
}

void Results::take_block(const UserFunction& function, py::handle value) {
  values_ = doubles(function, value, "value");
  check_shape(function, values_, "value", std::array{lanes_}, "return one value per point (row)");
  check_shape(function, gradient_, "gradient", std::array{lanes_, dim_},
              "return one row per point, or leave vectorized out");
}

void Results::take_point(const UserFunction& function, py::handle value) {
  check_shape(function, gradient_, "gradient", std::array{dim_},
              "return one number per coordinate, or say vectorized=True");
  if (PyFloat_Check(value.ptr())) {
    value_ = PyFloat_AS_DOUBLE(value.ptr());
    return;
  }
  const py::array single = doubles(function, value, "value");
  if (single.size() != 1) {
    check_shape(function, single, "value", {}, "return one number, or say vectorized=True");
  }
  value_ = *static_cast<const double*>(single.data());
}

void Results::copy_values(std::span<double> value) const {
  if (!values_) {
    value[0] = value_;
    return;
  }
  const auto array = py::reinterpret_borrow<py::array>(values_);
  const char* const data = static_cast<const char*>(array.data());
  const py::ssize_t stride = array.strides(0);
  for (std::size_t l = 0; l < lanes_; ++l) {
    value[l] = *reinterpret_cast<const double*>(data + static_cast<py::ssize_t>(l) * stride);
  }
}

void Results::copy_gradient(Block grad, std::size_t first) const {
  const auto array = py::reinterpret_borrow<py::array>(gradient_);
  const char* const data = static_cast<const char*>(array.data());
  const auto item = static_cast<py::ssize_t>(sizeof(double));
  const bool rows = array.ndim() == 2;
  const py::ssize_t by_lane = rows ? array.strides(0) : 0;
  const py::ssize_t by_coordinate = array.strides(rows ? 1 : 0);
  if (rows && lanes_ == grad.lanes() && by_lane == item &&
      by_coordinate == item * static_cast<py::ssize_t>(lanes_)) {
    std::memcpy(grad.data(), data, grad.size() * sizeof(double));
    return;
  }
  const auto number = [](const char* at) { return *reinterpret_cast<const double*>(at); };
  std::size_t l = 0;
  // A cache line of lanes at a time, so that either order of the array is read in few streams.
  for (; l + lane_group <= lanes_; l += lane_group) {
    const char* row = data + static_cast<py::ssize_t>(l) * by_lane;
    for (std::size_t i = 0; i < dim_; ++i, row += by_coordinate) {
      double* const to = &grad.at(i, first + l);
      for (std::size_t k = 0; k < lane_group; ++k) {
        to[k] = number(row + static_cast<py::ssize_t>(k) * by_lane);
      }
    }
  }
  for (; l < lanes_; ++l) {
    const char* row = data + static_cast<py::ssize_t>(l) * by_lane;
    for (std::size_t i = 0; i < dim_; ++i, row += by_coordinate) {
      grad.at(i, first + l) = number(row);
    }
  }
}

}  // namespace tain::python
