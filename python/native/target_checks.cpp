// Does a target's gradient fit its values, and do its terms fit the whole?
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "function_target.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target.hpp"
#include "target.hpp"
#include "unlocked.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

GradientCheck check_target(const Target& target, const Set* domain, std::uint64_t seed) {
  const NoRun direct;
  const Unlocked unlocked;
  const AnyPotential& potential = target.potential;
  const AnyMap map = map_of(domain ? *domain : real(), potential);
  return check_gradient(map, potential, seed);
}

py::object point_of(const GradientCheck& check) {
  if (check.point.empty()) {
    return py::none();
  }
  return owned_array(std::vector(check.point), {static_cast<py::ssize_t>(check.point.size())});
}

}  // namespace

void bind_target_checks(py::module_& m) {
  py::class_<GradientCheck>(m, "GradientCheck",
                            "Does the gradient fit the values? True if it does; prints why.")
      .def("__bool__", [](const GradientCheck& check) { return check.passed; })
      .def("__repr__", [](const GradientCheck& check) { return check.explanation; })
      .def_readonly("passed", &GradientCheck::passed, "Do they agree?")
      .def_readonly("worst_error", &GradientCheck::worst_error,
                    "Largest difference beyond what is open, relative to the slope.")
      .def_readonly("explanation", &GradientCheck::explanation, "What was found, in a sentence.")
      .def_property_readonly("point", point_of, "Where the worst comparison was made.");
  m.def("check_gradient", check_target, py::arg("target"), py::arg("set"), py::arg("seed"));
}

}  // namespace tain::python
