// Sets and their parts, as descriptions; numbers are checked here, once, by making the map.
#include "set.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "problem.hpp"
#include "tain/core/error.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Dim = std::optional<std::size_t>;

std::vector<double> numbers(const Numbers& array) {
  const std::span<const double> values = values_of(array);
  return {values.begin(), values.end()};
}

cli::SetDescription described(const char* type) {
  cli::SetDescription set;
  set.type = type;
  set.origin = type;
  set.fault = Fault::config;
  return set;
}

/// Fails now rather than in a run, where the dimension is known.
Domain checked(cli::SetDescription set) {
  if (cli::ambient_dim(set)) {
    cli::make_map(set, 0, {});
  }
  return {std::move(set)};
}

void claim(cli::SetDescription& set, const Dim& dim,
           std::initializer_list<std::pair<const char*, const std::vector<double>*>> lists) {
  cli::Dimension agreed;
  for (const auto& [name, list] : lists) {
    if (list->size() != 1) {
      agreed.claim(list->size(), fmt::format("{}: {}", set.type, name));
    }
  }
  if (dim) {
    agreed.claim(*dim, fmt::format("{}: dim", set.type));
  }
  set.dim = agreed.agreed();
}

Domain make_simplex(const Dim& dim, const std::string& coordinates) {
  cli::SetDescription set = described("simplex");
  set.coordinates = coordinates;
  set.dim = dim;
  if (dim) {
    cli::SetDescription plain = set;  // stretched ones follow the target, which is not here yet
    plain.coordinates = coordinates == "stretched" ? "symmetric" : coordinates;
    cli::make_map(plain, *dim, {});
  }
  return {std::move(set)};
}

Domain make_box(const Numbers& lower, const Numbers& upper, const Dim& dim) {
  cli::SetDescription set = described("box");
  set.lower = numbers(lower);
  set.upper = numbers(upper);
  claim(set, dim, {{"lower", &*set.lower}, {"upper", &*set.upper}});
  if (!set.dim && (lower.ndim() == 1 || upper.ndim() == 1)) {
    set.dim = 1;  // a list of one bound is one coordinate, a number stands for any
  }
  return checked(std::move(set));
}

Domain make_ball(const Numbers& centre, double radius, const Dim& dim, const std::string& form) {
  cli::SetDescription set = described("ball");
  set.centre = numbers(centre);
  set.radius = radius;
  if (form != "tanh" && form != "paper") {
    fail(Fault::config, "ball", fmt::format("unknown form '{}'", form), "give tanh or paper");
  }
  set.ball_form = form;
  claim(set, dim, {{"centre", &*set.centre}});
  return checked(std::move(set));
}

Domain make_plain(const char* type, const Dim& dim) {
  cli::SetDescription set = described(type);
  claim(set, dim, {});
  return {std::move(set)};
}

Domain make_product(const std::vector<const Domain*>& factors) {
  cli::SetDescription set = described("product");
  for (const Domain* factor : factors) {
    if (!cli::ambient_dim(factor->set)) {
      fail(Fault::config, "product",
           fmt::format("how many coordinates its {} has is not known", factor->set.type),
           "give it a dim");
    }
    set.factors.push_back(factor->set);
  }
  if (set.factors.empty()) {
    fail(Fault::config, "product", "there is no factor", "give one domain or more");
  }
  return checked(std::move(set));
}

Domain make_affine(const Domain& inner, const Numbers& matrix, const Numbers& shift) {
  if (matrix.ndim() != 2 || matrix.size() == 0) {
    fail(Fault::config, "affine", "the matrix has no rows and columns", "give a square matrix");
  }
  if (!inner.set.matrix.empty()) {
    fail(Fault::config, "affine", "the domain is an affine image already",
         "multiply the matrices, and give the product with the plain domain");
  }
  const auto columns = static_cast<std::size_t>(matrix.shape(1));
  cli::SetDescription set = inner.set;
  cli::Dimension agreed;
  if (const Dim dim = cli::ambient_dim(set)) {
    agreed.claim(*dim, "affine: the domain");
  }
  agreed.claim(columns, "affine: the matrix");
  set.dim = set.factors.empty() ? Dim(columns) : set.dim;
  set.matrix = numbers(matrix);
  set.matrix_columns = columns;
  set.shift = numbers(shift);
  return checked(std::move(set));
}

/// A description in a few words: "product(simplex(3), box(2))".
std::string text_of(const cli::SetDescription& set) {
  std::string inside = set.dim ? fmt::format("{}", *set.dim) : "";
  if (!set.factors.empty()) {
    inside.clear();
    for (const cli::SetDescription& factor : set.factors) {
      inside += (inside.empty() ? "" : ", ") + text_of(factor);
    }
  }
  const std::string type = set.type == "identity" ? "whole" : set.type;
  const std::string plain = fmt::format("{}({})", type, inside);
  return set.matrix.empty() ? plain : fmt::format("affine({})", plain);
}

bool contains(const Domain& domain, const Numbers& point) {
  const std::vector<double> x = numbers(point);
  const std::size_t dim = cli::ambient_dim(domain.set).value_or(x.size());
  if (point.ndim() != 1 || x.size() != dim) {
    fail(Fault::config, "contains",
         fmt::format("a point of {} numbers is asked for in {} dimensions", x.size(), dim),
         "give one number per coordinate");
  }
  cli::SetDescription plain = domain.set;
  plain.coordinates = "symmetric";  // the set is the same in all
  return cli::make_map(plain, dim, {}).contains(x);
}

}  // namespace

AnyMap make_map(const Domain& domain, const AnyPotential& target) {
  return cli::assemble(domain.set, target, {}, DualForm::automatic).problem.map;
}

void bind_sets(py::module_& m) {
  py::class_<Domain>(m, "Domain",
                     "A set that a law lives on; see `tain.simplex`, `tain.box`, `tain.ball`.\n\n"
                     ">>> tain.box(0, 1, dim=2).dim\n2")
      .def_property_readonly(
          "dim", [](const Domain& d) { return cli::ambient_dim(d.set); },
          "Number of coordinates; None where the target decides.")
      .def("contains", contains, py::arg("x"), "Is the point x in the interior?")
      .def("__repr__", [](const Domain& d) { return "<tain.Domain " + text_of(d.set) + ">"; });
  m.def("simplex", make_simplex);
  m.def("box", make_box);
  m.def("ball", make_ball);
  m.def("orthant", [](const Dim& dim) { return make_plain("orthant", dim); });
  m.def("whole", [](const Dim& dim) { return make_plain("identity", dim); });
  m.def("product", make_product);
  m.def("affine", make_affine);
}

}  // namespace tain::python
