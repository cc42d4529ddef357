// Sets as Python makes them: the library's own.
#include "tain/maps/set.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "fields.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A number is for all coordinates, a list for one each.
Numbers numbers(const Array& array) {
  const std::span<const double> values = values_of(array);
  Numbers given(std::vector<double>(values.begin(), values.end()));
  given.one_for_all = array.ndim() == 0;
  return given;
}

/// None: the set says it.
Dim dim_of(const py::object& dim) { return dim.is_none() ? Dim() : Dim(count_of("dim", dim)); }

py::array vector_array(std::vector<double> values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return owned_array(std::move(values), {size});
}

Set make_ball(const Dim& dim, double radius, const Array& centre, const std::string& form) {
  if (form != "tanh" && form != "paper") {
    fail(Fault::config, Field{"form"}, fmt::format("unknown form '{}'", form),
         "give tanh or paper");
  }
  return in_words_of({{"ball_form", "form"}}, [&] {
    return ball(dim, radius, numbers(centre), form == "paper" ? BallForm::paper : BallForm::tanh);
  });
}

Set make_product(const std::vector<std::string>& names, const std::vector<Set>& sets) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    parts.push_back({names.empty() ? std::string() : names[i], sets[i]});
  }
  return product(std::move(parts));
}

Set make_affine(const Set& inner, const Array& matrix, const Array& shift) {
  if (matrix.ndim() != 2 || matrix.size() == 0 || matrix.shape(0) != matrix.shape(1)) {
    fail(Fault::config, "affine", "the matrix has not as many rows as columns",
         "give a square matrix");
  }
  const std::span<const double> entries = values_of(matrix);
  return affine(inner, {entries.begin(), entries.end()}, numbers(shift));
}

}  // namespace

void bind_sets(py::module_& m) {
  py::class_<Set>(m, "Set",
                  "A set that a law lives on; see `tain.simplex`, `tain.box`, `tain.ball`.\n\n"
                  ">>> tain.box(0, 1, dim=2).dim\n2")
      .def_property_readonly("dim", &Set::dim,
                             "Number of coordinates; None where the target decides.")
      .def_property_readonly(
          "names",
          [](const Set& set) {
            std::vector<std::string> names;
            for (const Parameter& parameter : set.parameters()) {
              names.push_back(parameter.name);
            }
            return names;
          },
          "Of the parts of a product that have names.")
      .def(
          "contains",
          [](const Set& set, const Array& x) {
            if (x.ndim() != 1) {
              fail(Fault::config, "contains",
                   fmt::format("an array of {} dimensions is no point", x.ndim()),
                   "give one number per coordinate");
            }
            return set.contains(values_of(x));
          },
          py::arg("x"),
          "Is the point x in the interior?\n\n>>> tain.simplex(3).contains([0.2, 0.3, 0.5])\nTrue")
      .def(
          "centre",
          [](const Set& set, const py::object& dim) {
            return vector_array(set.centre(dim_of(dim)));
          },
          py::arg("dim") = py::none(),
          "Some point well inside. `dim`: where the set leaves it open.\n\n"
          ">>> tain.box(0, 1).centre(dim=2)\narray([0.5, 0.5])")
      .def(
          "point",
          [](const Set& set, const py::object& seed, const py::object& dim) {
            return vector_array(set.point(count_of("seed", seed), dim_of(dim)));
          },
          py::arg("seed") = 1, py::arg("dim") = py::none(),
          "A point of it at random, to try a target at.\n\n"
          ">>> where = tain.simplex(3)\n>>> where.contains(where.point(seed=7))\nTrue")
      .def("__repr__", [](const Set& set) { return "<tain.Set " + set.text() + ">"; });
  m.def("simplex",
        [](const Dim& dim, const std::string& coordinates) { return simplex(dim, coordinates); });
  m.def("box", [](const Array& lower, const Array& upper, const Dim& dim) {
    return box(numbers(lower), numbers(upper), dim);
  });
  m.def("ball", make_ball);
  m.def("positive", [](const Dim& dim) { return positive(dim); });
  m.def("real", [](const Dim& dim) { return real(dim); });
  m.def("product", make_product);
  m.def("affine", make_affine);
}

}  // namespace tain::python
