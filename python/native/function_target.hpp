// Targets that are Python functions: of a point, or of a whole block of points (vectorised numpy).
//
// Laws: those of Potential, as far as the user's function keeps them.
//   - Threads may evaluate at once; each takes the interpreter's lock for its call.
//   - The function sees finite points only. Lanes that are not finite (a trajectory that flew off,
//     in a chain or in the padding) have value and gradient NaN without a call, or with another
//     lane's point in their place.
//   - What it gets stays as it is: arrays that it keeps are never written to again. It sees the
//     points of a block where they are, read-only; a function that keeps them gets copies from then
//     on.
//   - Its exceptions are thrown on as they are. After a first KeyboardInterrupt in a run the call
//     is made again, so that the step is completed; the run sees the interrupt at its next look.
// Cost: one call and a copy of the gradient per block; of points one call and two copies each.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/targets/potential.hpp"

namespace tain::python {

/// A function and the arrays it is called with, shared by the copies of a target. All members need
/// the interpreter's lock, the destructor takes it.
class UserFunction {
 public:
  UserFunction(pybind11::object function, std::string name)
      : function_(std::move(function)), name_(std::move(name)) {}
  ~UserFunction();
  UserFunction(const UserFunction&) = delete;
  UserFunction& operator=(const UserFunction&) = delete;

  const std::string& name() const { return name_; }
  /// For messages.
  std::string where() const { return "target " + name_; }
  /// Writes the points of a call; false: there is nothing to call for.
  using Fill = std::function<bool(double*)>;
  using Read = std::function<void(const pybind11::object&)>;
  /// Calls the function with an array of this shape, coordinate-major as our blocks are, that
  /// `fill` fills, and with indices where there are any; `read` looks at what it returned. Throws
  /// what the function throws, with a note that says where.
  void call(std::span<const std::size_t> shape, const Fill& fill, const pybind11::object& indices,
            const Read& read);
  /// The same with points where they are, which `owner` keeps alive.
  void call_in_place(ConstBlock points, std::shared_ptr<const void> owner,
                     const pybind11::object& indices, const Read& read);
  /// Has it kept an array that it was called with?
  bool keeps_points() const { return keeps_points_; }

  /// For Python's garbage collector.
  pybind11::handle held() const { return function_; }
  void release();

 private:
  std::optional<pybind11::object> attempt(pybind11::array& x, const Fill& fill,
                                          const pybind11::object& indices);
  pybind11::array take(std::span<const std::size_t> shape);
  /// For the next call, unless the function kept it.
  void give_back(pybind11::array array);

  pybind11::object function_;  // null once the collector has cleared it
  std::string name_;
  std::vector<pybind11::array> spare_;
  std::uint64_t calls_ = 0;
  bool keeps_points_ = false;
};

/// While one lives, KeyboardInterrupts of functions called by this thread are thrown on at once:
/// there is no run that could stop.
class NoRun {
 public:
  NoRun();
  ~NoRun();
  NoRun(const NoRun&) = delete;
  NoRun& operator=(const NoRun&) = delete;

 private:
  bool before_;
};

enum class Points { one, block };  ///< what a call is made with

/// function(x) gives (value, gradient): x of shape (d,), or (n, d) for a block.
class FunctionTarget {
 public:
  FunctionTarget(std::shared_ptr<UserFunction> function, std::size_t dim, Points points)
      : function_(std::move(function)), dim_(dim), points_(points) {}

  std::string name() const { return function_->name(); }
  std::size_t dim() const { return dim_; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  std::shared_ptr<UserFunction> function_;
  std::size_t dim_;
  Points points_;
};

/// A sum of N terms: function(x, indices) gives (value, gradient) of the sum over these terms;
/// indices of shape (b,), or (n, b) for a block. The whole is `whole`, or the function's sum over
/// all terms, point by point, in ascending pieces of `piece` terms, added up in order.
class BatchFunctionTarget {
 public:
  static constexpr std::uint64_t piece = 8192;  ///< rows of data that stay in cache

  BatchFunctionTarget(std::shared_ptr<UserFunction> function, std::shared_ptr<UserFunction> whole,
                      std::uint64_t terms, std::size_t dim, Points points)
      : function_(std::move(function)),
        whole_(std::move(whole)),
        terms_(terms),
        dim_(dim),
        points_(points) {}

  std::string name() const { return function_->name(); }
  std::size_t dim() const { return dim_; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;
  std::uint64_t terms() const { return terms_; }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const;

 private:
  void sum_terms(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

  std::shared_ptr<UserFunction> function_, whole_;  // whole_ may be null
  std::uint64_t terms_;
  std::size_t dim_;
  Points points_;
};

static_assert(Potential<FunctionTarget> && Decomposable<BatchFunctionTarget>);

}  // namespace tain::python
