// Vectors and blocks as numpy arrays and back.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <span>
#include <vector>

namespace tain::python {

/// An array that owns the values; nothing is copied.
template <class T>
pybind11::array_t<T> owned_array(std::vector<T> values, std::vector<pybind11::ssize_t> shape) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = held->data();
  const pybind11::capsule owner(held.release(),
                                [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return pybind11::array_t<T>(std::move(shape), data, owner);
}

/// A view of values that `owner` keeps alive; cannot be written to.
template <class T>
pybind11::array_t<T> view_array(std::span<const T> values, std::vector<pybind11::ssize_t> shape,
                                const pybind11::object& owner) {
  pybind11::array_t<T> array(std::move(shape), values.data(), owner);
  array.attr("setflags")(pybind11::arg("write") = false);
  return array;
}

/// Numbers of a C-contiguous array.
template <class T>
std::span<const T> values_of(
    const pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

}  // namespace tain::python
