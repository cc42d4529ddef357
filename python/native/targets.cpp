// Targets: the ones of the library by name, users' functions, and their evaluation.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/names.hpp"
#include "core/parallel.hpp"
#include "fields.hpp"
#include "function_target.hpp"
#include "pointer_target.hpp"
#include "pybind11/stl.h"
#include "pybind11/stl/filesystem.h"
#include "tain/core/error.hpp"
#include "tain/maps/set.hpp"
#include "target.hpp"
#include "targets/log_density.hpp"
#include "targets/target_kind.hpp"
#include "unlocked.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
constexpr std::size_t lanes_at_once = 256;

// ---- evaluation --------------------------------------------------------------------------------

/// Rows [first, first + count) of points as lanes; the last one fills the padding.
void load(const double* rows, std::size_t first, std::size_t count, Block x) {
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    const double* row = rows + (first + std::min(l, count - 1)) * x.rows();
    for (std::size_t i = 0; i < x.rows(); ++i) {
      x.at(i, l) = row[i];
    }
  }
}

struct Evaluation {
  std::vector<double> value, gradient;  // one per row; row-major
};

Evaluation evaluate_rows(const AnyPotential& target, const double* rows, std::size_t count) {
  Evaluation result;
  const std::size_t d = target.dim();
  result.value.resize(count);
  result.gradient.resize(count * d);
  Workspace ws;
  for (std::size_t first = 0; first < count; first += lanes_at_once) {
    const std::size_t size = std::min(lanes_at_once, count - first);
    const Workspace::Scope scope(ws);
    const Block x = ws.block(d, padded_lanes(size)), grad = ws.block(d, padded_lanes(size));
    const std::span<double> value = ws.array(padded_lanes(size));
    load(rows, first, size, x);
    target.evaluate(x, value, grad, ws);
    for (std::size_t l = 0; l < size; ++l) {
      result.value[first + l] = value[l];
      for (std::size_t i = 0; i < d; ++i) {
        result.gradient[(first + l) * d + i] = grad.at(i, l);
      }
    }
  }
  return result;
}

/// Points as rows, or one point.
void check_points(const AnyPotential& target, const Doubles& x) {
  const bool fits = (x.ndim() == 1 || x.ndim() == 2) &&
                    static_cast<std::size_t>(x.shape(x.ndim() - 1)) == target.dim();
  if (!fits) {
    fail(Fault::config, "target " + target.name(),
         fmt::format("x has shape {}", py::str(x.attr("shape")).cast<std::string>()),
         fmt::format("give a point of {0} coordinates, or an array of shape (n, {0})",
                     target.dim()));
  }
}

py::tuple call(const Target& target, const Doubles& x) {
  check_points(target.potential, x);
  const bool one = x.ndim() == 1;
  const std::size_t count = one ? 1 : static_cast<std::size_t>(x.shape(0));
  Evaluation result;
  {
    const NoRun direct;
    const double* const rows = x.data();
    const Unlocked unlocked;
    result = evaluate_rows(target.potential, rows, count);
  }
  const auto n = static_cast<py::ssize_t>(count);
  const auto d = static_cast<py::ssize_t>(target.potential.dim());
  if (one) {
    return py::make_tuple(result.value[0], owned_array(std::move(result.gradient), {d}));
  }
  return py::make_tuple(owned_array(std::move(result.value), {n}),
                        owned_array(std::move(result.gradient), {n, d}));
}

/// Seconds of `times` evaluations of a block of the rows of x, in each of `threads` threads at
/// once: for benchmarks and tests.
double time_evaluations(const Target& target, const Doubles& x, std::size_t times,
                        std::size_t threads) {
  check_points(target.potential, x);
  const auto count = static_cast<std::size_t>(x.ndim() == 1 ? 1 : x.shape(0));
  const AnyPotential& potential = target.potential;
  const std::size_t lanes = padded_lanes(count);
  const double* const points = x.data();
  const Unlocked unlocked;
  Threads pool(threads);
  const auto begin = std::chrono::steady_clock::now();
  pool.for_each(threads, [&](std::size_t) {
    Workspace ws;  // where a run has its points, too
    const Block block = ws.block(potential.dim(), lanes), grad = ws.block(potential.dim(), lanes);
    load(points, 0, count, block);
    const std::span<double> value = ws.array(lanes);
    for (std::size_t k = 0; k < times; ++k) {
      potential.evaluate(block, value, grad, ws);
    }
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- constructors ------------------------------------------------------------------------------

/// A kind of the library with its numbers by name; `dim`: 0 where they say it.
Target built_in(const std::string& name, const py::dict& numbers, std::size_t dim) {
  const TargetEntry* entry = find_target(name);
  if (!entry) {
    fail_unknown("target", name, names_of(target_table(), [](const TargetEntry& known) {
                   return known.make != nullptr;
                 }));
  }
  std::unique_ptr<TargetKind> kind = entry->make();
  KeywordFields fields(numbers);
  kind->describe(fields);
  fields.require_all_known();
  kind->read();
  const tain::Target whole(std::shared_ptr<const TargetKind>(std::move(kind)));
  return Target(dim == 0 ? whole : whole.with_dim(dim));
}

Target library(const std::filesystem::path& path, const std::string& arguments, std::size_t dim) {
  const tain::Target opened = tain::library(path, arguments);
  return Target(dim == 0 ? opened : opened.with_dim(dim));
}

Points points_of(bool vectorized) { return vectorized ? Points::block : Points::one; }

/// V of code that gives V, or log p.
AnyPotential potential_of(AnyPotential code, bool log_density) {
  return log_density ? AnyPotential(LogDensity(std::move(code))) : code;
}

Target function_target(py::object function, std::size_t dim, bool vectorized,
                       const std::string& name, std::vector<std::string> names, bool log_density) {
  auto shared = std::make_shared<UserFunction>(std::move(function), name);
  return Target(potential_of(FunctionTarget(shared, dim, points_of(vectorized)), log_density),
                std::move(names), {shared});
}

Target batch_target(py::object function, py::object whole, std::uint64_t terms, std::size_t dim,
                    bool vectorized, const std::string& name, std::vector<std::string> names,
                    bool log_density) {
  std::vector shared{std::make_shared<UserFunction>(std::move(function), name)};
  if (!whole.is_none()) {
    shared.push_back(std::make_shared<UserFunction>(std::move(whole), name));
  }
  const BatchFunctionTarget target(shared.front(), shared.size() > 1 ? shared.back() : nullptr,
                                   terms, dim, points_of(vectorized));
  return Target(potential_of(target, log_density), std::move(names), std::move(shared));
}

// ---- the class ---------------------------------------------------------------------------------

std::vector<std::string> names_of(const Target& target) {
  std::vector<std::string> names = target.target.kind().names();
  return names.empty() ? coordinate_names({}, target.potential.dim()) : names;
}

std::string target_text(const Target& target) {
  const std::uint64_t terms = target.potential.terms();
  return fmt::format("<tain.Target {}, dim {}{}>", target.potential.name(), target.potential.dim(),
                     terms > 0 ? fmt::format(", {} terms", terms) : "");
}

/// The target of an object, or null while it is being made.
Target* target_of(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  const py::detail::value_and_holder holder = instance->get_value_and_holder();
  return holder.holder_constructed() ? static_cast<Target*>(holder.value_ptr()) : nullptr;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (const Target* target = target_of(self)) {
    for (const auto& function : target->functions) {
      Py_VISIT(function->held().ptr());
    }
  }
  return 0;
}

int clear(PyObject* self) {
  if (const Target* target = target_of(self)) {
    for (const auto& function : target->functions) {
      function->release();
    }
  }
  return 0;
}

void deallocate(PyObject* self) {
  PyObject_GC_UnTrack(self);
  py::detail::pybind11_object_dealloc(self);
}

/// A function may refer to what holds its target (a method of an object that has the target as
/// attribute, say): only the collector can free such a pair.
void collect_cycles(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = traverse;
  type.tp_clear = clear;
  type.tp_dealloc = deallocate;
}

void bind_class(py::module_& m) {
  py::class_<Target>(m, "Target", py::custom_type_setup(collect_cycles),
                     "A density known up to a constant, as its potential V = -log density.\n\n"
                     "Call it with a point, or with points as rows, for values and gradients.")
      .def("__call__", call, py::arg("x"), "Value and gradient at a point or at points as rows.")
      .def("__repr__", target_text)
      .def("__reduce__",
           [](const Target& target) -> py::object {
             throw py::type_error(
                 fmt::format("target {}: cannot be pickled; make it anew from its data",
                             target.potential.name()));
           })
      .def_property_readonly(
          "dim", [](const Target& t) { return t.potential.dim(); }, "Number of coordinates.")
      .def_property_readonly(
          "name", [](const Target& t) { return t.potential.name(); }, "For reports.")
      .def_property_readonly(
          "terms", [](const Target& t) { return t.potential.terms(); },
          "N of V = sum of V_i, what mini-batches are drawn from; 0 where V is no sum.")
      .def_property_readonly("names", names_of, "Names of the coordinates.");
}

}  // namespace

void bind_targets(py::module_& m) {
  bind_class(m);
  m.def("built_in", built_in);
  m.def("library", library);
  m.def("function_target", function_target);
  m.def("batch_target", batch_target);
  m.def("pointer_target", pointer_target);
  m.def("time_evaluations", time_evaluations);
}

}  // namespace tain::python
