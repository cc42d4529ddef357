// Does a target's gradient fit its values, and do its terms fit the whole? Asked before a run on a
// user's functions.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "function_target.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target.hpp"
#include "target.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// The gradient summed from all terms at one point, and the sum of the sizes of its parts: what
/// rounding is to be measured against.
struct TermSum {
  std::vector<double> gradient, size;
};

TermSum sum_of_terms(const AnyPotential& target, ConstBlock x, Workspace& ws) {
  constexpr std::uint64_t piece = BatchFunctionTarget::piece / lane_group;
  const std::size_t d = target.dim();
  const std::uint64_t terms = target.terms();
  TermSum sum{std::vector<double>(d), std::vector<double>(d)};
  const Block grad = ws.block(d, x.lanes());
  for (std::uint64_t begin = 0; begin < terms; begin += piece) {
    const std::uint64_t count = std::min(piece, terms - begin);
    const Workspace::Scope scope(ws);
    const std::span<std::uint64_t> indices = ws.indices(count * x.lanes());
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      const auto lane = indices.subspan(l * count, count);
      std::iota(lane.begin(), lane.end(), begin);
    }
    target.batch_gradient(x, {count, indices}, grad, ws);
    const double share = static_cast<double>(count) / static_cast<double>(terms);
    for (std::size_t i = 0; i < d; ++i) {
      sum.gradient[i] += share * grad.at(i, 0);
      sum.size[i] += std::abs(share * grad.at(i, 0));
    }
  }
  return sum;
}

/// At the point where the gradient was worst; adds what it finds to the check.
void check_terms(const AnyPotential& target, GradientCheck& check) {
  Workspace ws;
  const Block x = ws.block(target.dim(), lane_group), grad = ws.block(target.dim(), lane_group);
  for (std::size_t i = 0; i < target.dim(); ++i) {
    std::fill_n(x.row(i), lane_group, check.point[i]);
  }
  target.evaluate(x, ws.array(lane_group), grad, ws);
  const TermSum sum = sum_of_terms(target, x, ws);
  for (std::size_t i = 0; i < target.dim(); ++i) {
    const double error = std::abs(sum.gradient[i] - grad.at(i, 0)) / std::max(1.0, sum.size[i]);
    if (!(error <= gradient_pass_mark)) {
      check.passed = false;
      check.worst_error = error;
      check.explanation = fmt::format(
          "The {} terms of {} do not sum to the whole: coordinate {} of the gradient is {:.9g} "
          "from "
          "the terms and {:.9g} from the whole.",
          target.terms(), target.name(), i + 1, sum.gradient[i], grad.at(i, 0));
      return;
    }
  }
  check.explanation += fmt::format(" Its {} terms sum to it.", target.terms());
}

GradientCheck check_target(const Target& target, const Set* domain, std::uint64_t seed) {
  const NoRun direct;
  const py::gil_scoped_release unlocked;
  const AnyPotential& potential = target.potential;
  const AnyMap map = map_of(domain ? *domain : real(), potential);
  GradientCheck check = check_gradient(map, potential, seed);
  if (check.passed && potential.terms() > 0 && !check.point.empty()) {
    check_terms(potential, check);
  }
  return check;
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
                    "Largest difference beyond rounding, relative to max(1, |derivative|).")
      .def_readonly("explanation", &GradientCheck::explanation, "What was found, in a sentence.")
      .def_property_readonly("point", point_of, "Where the worst comparison was made.");
  m.def("check_gradient", check_target, py::arg("target"), py::arg("set"), py::arg("seed"));
}

}  // namespace tain::python
