#include "function_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/lanes.hpp"
#include "function_target_results.hpp"
#include "interrupt.hpp"
#include "tain/core/error.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_spare_arrays = 8;

thread_local bool no_run = false;

/// What numbers alone can bring about: 1 / 0, log(-1), a matrix that is not positive.
struct MathError final : py::error_already_set, UndefinedHere {
  explicit MathError(const py::error_already_set& error) : py::error_already_set(error) {}
};

/// The point, or what is worth telling of many.
std::string describe(const py::array& x) {
  if (x.ndim() != 1) {
    return fmt::format("with x of shape ({}, {})", x.shape(0), x.shape(1));
  }
  constexpr py::ssize_t shown = 8;
  const auto* values = static_cast<const double*>(x.data());
  return fmt::format("at x = [{:.17g}{}]",
                     fmt::join(values, values + std::min(shown, x.size()), ", "),
                     x.size() > shown ? ", ..." : "");
}

/// Blocks of points are not the function's to write to.
py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// Python 3.11 shows notes below the traceback.
void add_note(const py::error_already_set& error, const std::string& note) {
  if (!py::hasattr(error.value(), "add_note")) {
    return;
  }
  try {
    error.value().attr("add_note")(note);
  } catch (const py::error_already_set&) {
    // An exception that takes no notes goes without.
  }
}

/// 1 where the lane's point is finite.
std::span<const double> finite_lanes(ConstBlock x, Workspace& ws) {
  const std::span<double> finite = ws.array(x.lanes());
  lanes::all_finite(x, finite);
  return finite;
}

/// Another lane's point in the place of those that are not finite. False if there is none.
bool replace_lost(std::span<const double> finite, std::size_t rows, double* points) {
  const Block x(points, rows, finite.size());
  const auto good = static_cast<std::size_t>(std::ranges::find(finite, 1.0) - finite.begin());
  for (std::size_t l = 0; good < finite.size() && l < finite.size(); ++l) {
    for (std::size_t i = 0; finite[l] == 0 && i < rows; ++i) {
      x.at(i, l) = x.at(i, good);
    }
  }
  return good < finite.size();
}

/// No value and no gradient where the point is not finite.
void blank(std::span<const double> finite, std::span<double> value, Block grad) {
  for (std::size_t l = 0; l < finite.size(); ++l) {
    if (finite[l] != 0) {
      continue;
    }
    value[l] = nothing;
    for (std::size_t i = 0; i < grad.rows(); ++i) {
      grad.at(i, l) = nothing;
    }
  }
}

bool gather(ConstBlock x, std::size_t lane, double* point) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    point[i] = x.at(i, lane);
  }
  return true;
}

/// Indices as numpy wants them to index with; below 2^63, so that the bits are the same.
py::array index_array(std::span<const std::uint64_t> indices, std::vector<py::ssize_t> shape) {
  py::array_t<std::int64_t> array(std::move(shape));
  std::memcpy(array.mutable_data(), indices.data(), indices.size_bytes());
  return array;
}

/// Values and gradients of all lanes, by one call; `batches` null: of the whole.
void evaluate_block(UserFunction& function, ConstBlock x, const Batches* batches,
                    std::span<double> value, Block grad, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<const double> finite = finite_lanes(x, ws);
  const bool all_finite = std::ranges::all_of(finite, [](double f) { return f != 0; });
  {
    const py::gil_scoped_acquire lock;
    const py::object indices =
        batches
            ? py::object(index_array(batches->indices, {static_cast<py::ssize_t>(x.lanes()),
                                                        static_cast<py::ssize_t>(batches->size)}))
            : py::object();
    const auto read = [&](const py::object& returned) {
      const Results results(function, returned, Points::block, x.lanes(), x.rows());
      results.copy_values(value);
      results.copy_gradient(grad, 0);
    };
    auto owner = all_finite && !function.keeps_points() ? ws.share(x.data()) : nullptr;
    if (owner) {
      function.call_in_place(x, std::move(owner), indices, read);
      return;
    }
    const auto fill = [&](double* points) {
      std::memcpy(points, x.data(), x.size() * sizeof(double));
      return all_finite || replace_lost(finite, x.rows(), points);
    };
    function.call(std::array{x.lanes(), x.rows()}, fill, indices, read);
  }
  blank(finite, value, grad);
}

/// The same, a call per lane.
void evaluate_points(UserFunction& function, ConstBlock x, const Batches* batches,
                     std::span<double> value, Block grad, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<const double> finite = finite_lanes(x, ws);
  const py::gil_scoped_acquire lock;
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    if (finite[l] == 0) {
      continue;
    }
    const py::object indices =
        batches ? py::object(index_array(batches->of(l), {static_cast<py::ssize_t>(batches->size)}))
                : py::object();
    const auto fill = [&](double* point) { return gather(x, l, point); };
    function.call(std::array{x.rows()}, fill, indices, [&](const py::object& returned) {
      const Results results(function, returned, Points::one, 1, x.rows());
      results.copy_values(value.subspan(l, 1));
      results.copy_gradient(grad, l);
    });
  }
  blank(finite, value, grad);
}

void evaluate_any(UserFunction& function, Points points, ConstBlock x, const Batches* batches,
                  std::span<double> value, Block grad, Workspace& ws) {
  (points == Points::block ? evaluate_block : evaluate_points)(function, x, batches, value, grad,
                                                               ws);
}

}  // namespace

UserFunction::~UserFunction() {
  const py::gil_scoped_acquire lock;
  spare_.clear();
  release();
}

void UserFunction::release() {
  // The collector may look at this object while the function goes: it is to find nothing then.
  PyObject* const gone = function_.release().ptr();
  Py_XDECREF(gone);
}

std::optional<py::object> UserFunction::attempt(py::array& x, const Fill& fill,
                                                const py::object& indices) {
  const py::object function = function_;
  if (!function) {
    fail(Fault::data, where(), "its function has been collected as garbage",
         "keep a reference to the target");
  }
  ++calls_;
  for (bool again = false;; again = true) {
    if (!fill(static_cast<double*>(const_cast<void*>(x.data())))) {
      return std::nullopt;
    }
    PyObject* const returned =
        PyObject_CallFunctionObjArgs(function.ptr(), x.ptr(), indices.ptr(), nullptr);
    if (returned) {
      return py::reinterpret_steal<py::object>(returned);
    }
    py::error_already_set error;
    if (again || no_run || !error.matches(PyExc_KeyboardInterrupt)) {
      add_note(error, fmt::format("in call {} of {}, {}", calls_, where(), describe(x)));
      if (error.matches(PyExc_ArithmeticError) || error.matches(PyExc_ValueError)) {
        throw MathError(error);
      }
      throw error;
    }
    note_interrupt();
  }
}

void UserFunction::call(std::span<const std::size_t> shape, const Fill& fill,
                        const py::object& indices, const Read& read) {
  py::array x = take(shape);
  if (const std::optional<py::object> returned = attempt(x, fill, indices)) {
    read(*returned);
  }
  give_back(std::move(x));
}

void UserFunction::call_in_place(ConstBlock points, std::shared_ptr<const void> owner,
                                 const py::object& indices, const Read& read) {
  using Owner = std::shared_ptr<const void>;
  const py::capsule keeper(new Owner(std::move(owner)),
                           [](void* kept) { delete static_cast<Owner*>(kept); });
  const auto item = static_cast<py::ssize_t>(sizeof(double));
  const auto lanes = static_cast<py::ssize_t>(points.lanes());
  py::array x = read_only(py::array_t<double>({lanes, static_cast<py::ssize_t>(points.rows())},
                                              {item, item * lanes}, points.data(), keeper));
  if (const auto returned = attempt(x, [](double*) { return true; }, indices)) {
    read(*returned);
  }
  keeps_points_ = keeps_points_ || x.ref_count() > 1;
}

py::array UserFunction::take(std::span<const std::size_t> shape) {
  const auto fits = std::ranges::find_if(spare_, [&](const py::array& array) {
    return static_cast<std::size_t>(array.ndim()) == shape.size() &&
           std::equal(shape.begin(), shape.end(), array.shape(), [](std::size_t a, py::ssize_t b) {
             return static_cast<py::ssize_t>(a) == b;
           });
  });
  if (fits == spare_.end()) {
    py::array_t<double, py::array::f_style> array(std::vector(shape.begin(), shape.end()));
    return shape.size() == 1 ? py::array(array) : read_only(array);
  }
  py::array array = std::move(*fits);
  spare_.erase(fits);
  return array;
}

void UserFunction::give_back(py::array array) {
  if (array.ref_count() == 1 && spare_.size() < most_spare_arrays) {
    spare_.push_back(std::move(array));
  }
}

NoRun::NoRun() : before_(std::exchange(no_run, true)) {}
NoRun::~NoRun() { no_run = before_; }

void FunctionTarget::evaluate(ConstBlock x, std::span<double> value, Block grad,
                              Workspace& ws) const {
  evaluate_any(*function_, points_, x, nullptr, value, grad, ws);
}

void BatchFunctionTarget::evaluate(ConstBlock x, std::span<double> value, Block grad,
                                   Workspace& ws) const {
  if (whole_) {
    evaluate_any(*whole_, points_, x, nullptr, value, grad, ws);
    return;
  }
  sum_terms(x, value, grad, ws);
}

void BatchFunctionTarget::sum_terms(ConstBlock x, std::span<double> value, Block grad,
                                    Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::span<const double> finite = finite_lanes(x, ws);
  const std::span<double> part_value = ws.array(1);
  const Block part(ws.array(dim_).data(), dim_, 1);
  const std::span<std::uint64_t> room = ws.indices(std::min(piece, terms_));
  const std::vector<std::size_t> shape =
      points_ == Points::block ? std::vector<std::size_t>{1, dim_} : std::vector{dim_};
  const py::gil_scoped_acquire lock;
  for (std::size_t l = 0; l < x.lanes(); ++l) {
    if (finite[l] == 0) {
      continue;
    }
    const auto fill = [&](double* point) { return gather(x, l, point); };
    value[l] = 0;
    for (std::size_t i = 0; i < dim_; ++i) {
      grad.at(i, l) = 0;
    }
    for (std::uint64_t begin = 0; begin < terms_; begin += piece) {
      const std::span<std::uint64_t> indices = room.first(std::min(piece, terms_ - begin));
      std::iota(indices.begin(), indices.end(), begin);
      std::vector<py::ssize_t> index_shape(shape.size(), 1);
      index_shape.back() = static_cast<py::ssize_t>(indices.size());
      function_->call(shape, fill, index_array(indices, index_shape),
                      [&](const py::object& returned) {
                        const Results results(*function_, returned, points_, 1, dim_);
                        results.copy_values(part_value);
                        results.copy_gradient(part, 0);
                      });
      value[l] += part_value[0];
      for (std::size_t i = 0; i < dim_; ++i) {
        grad.at(i, l) += part.at(i, 0);
      }
    }
  }
  blank(finite, value, grad);
}

void BatchFunctionTarget::batch_gradient(ConstBlock x, const Batches& batches, Block grad,
                                         Workspace& ws) const {
  const Workspace::Scope scope(ws);
  evaluate_any(*function_, points_, x, &batches, ws.array(x.lanes()), grad, ws);
  const double each = static_cast<double>(terms_) / static_cast<double>(batches.size);
  lanes::affine(grad.flat(), each, 0.0, grad.flat());  // (4.1)
}

}  // namespace tain::python
