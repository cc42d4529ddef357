// Kernels by name: what each can do and how it is made, a row each. Runs, help, pages and verdicts
// read the rows; nobody else compares names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/walk.hpp"

namespace tain {

/// Where a kernel's states live (run/walk.hpp): the map's dual, the expanded mean, or around the set.
enum class Space { dual, expanded, primal };
enum class Bias { none, indicated, unknown };  ///< indicated: by its acceptance

/// What a kernel may have beside its steps; a row has the sum of its own.
struct Has {
  enum : unsigned {
    batches = 1,           ///< gradients of mini-batches
    control_variates = 2,  ///< anchors that correct them
    theory = 4,            ///< a step size by Theorem 4
    trajectories = 8,      ///< of a length that warm-up finds
    smoothing = 16,
  };
};

struct KernelRow {
  std::string_view name;
  Space space;
  Bias bias, batch_bias;  ///< of whole gradients, and of mini-batches
  unsigned abilities;     ///< of Has
  /// `batch`: the plan's mini-batches, empty for all terms. Throws Error (config) where the problem
  /// does not fit the kernel.
  Walk (*make)(const Problem& problem, const SamplePlan& plan, const Batching& batch);
  std::string_view summary;  ///< one line, for `tain kernels`

  bool has(unsigned wanted) const { return (abilities & wanted) == wanted; }
};
std::span<const KernelRow> kernel_table();

/// Null if there is none.
const KernelRow* find_kernel(std::string_view name);
/// Throws Error (usage), suggesting the nearest.
const KernelRow& kernel_row(std::string_view name);
/// Of those that have something, or of all.
std::vector<std::string_view> kernel_names(unsigned abilities = 0);

}  // namespace tain
