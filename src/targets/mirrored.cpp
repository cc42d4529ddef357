#include "targets/mirrored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {
namespace {

/// Beyond this a double is about to overflow, and maps that reach it stop there: V stays what it is
/// while log det goes on, so that W would fall for ever.
constexpr double largest_coordinate = 1e300;

/// W = +inf, outside the support, where a coordinate leaves the numbers.
void refuse_overflow(ConstBlock x, std::span<double> value, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> square = ws.array(x.lanes());
  lanes::dot(x, x, square);
  if (std::ranges::all_of(square, [](double s) { return s < largest_coordinate; })) {
    return;  // far from it: all that runs see, in one pass
  }
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double* const row = x.row(i);
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      value[l] = std::abs(row[l]) > largest_coordinate ? std::numeric_limits<double>::infinity()
                                                       : value[l];
    }
  }
}

/// W and grad W through the map, for any target (second line of 3.3).
class GenericDual {
 public:
  GenericDual(AnyMap map, AnyPotential target) : map_(std::move(map)), target_(std::move(target)) {}
  std::string name() const { return fmt::format("{} on {}", target_.name(), map_.name()); }
  std::size_t dim() const { return map_.dual_dim(); }

  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const Block x = ws.block(map_.primal_dim(), y.lanes());
    const Block gx = ws.block(map_.primal_dim(), y.lanes());
    map_.to_primal(y, x, ws);
    target_.evaluate(x, value, gx, ws);
    map_.pull_back(y, x, gx, grad, ws);
    map_.add_log_det(y, x, value, grad, ws);
    refuse_overflow(x, value, ws);
  }

  /// (N/b) sum over the batch of grad W_i, W_i = V_i + log det / N (Lemma 2): every batch has the
  /// whole log det.
  std::uint64_t terms() const { return target_.terms(); }
  void batch_gradient(ConstBlock y, const Batches& batches, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const Block x = ws.block(map_.primal_dim(), y.lanes());
    const Block gx = ws.block(map_.primal_dim(), y.lanes());
    const std::span<double> unused = ws.array(y.lanes());
    lanes::fill(0.0, unused);
    map_.to_primal(y, x, ws);
    target_.batch_gradient(x, batches, gx, ws);
    map_.pull_back(y, x, gx, grad, ws);
    map_.add_log_det(y, x, unused, grad, ws);
  }

 private:
  AnyMap map_;
  AnyPotential target_;
};

}  // namespace

AnyPotential mirrored(const AnyMap& map, const AnyPotential& target, DualForm form) {
  if (map.primal_dim() != target.dim()) {
    fail(Fault::config, "target " + target.name(),
         fmt::format("has dimension {} but the map {} has dimension {}", target.dim(), map.text(),
                     map.primal_dim()),
         "give both the same dimension");
  }
  if (form != DualForm::generic) {
    if (auto closed = target.closed_dual(map)) {
      return *std::move(closed);
    }
    if (form == DualForm::closed) {
      fail(Fault::config, "target " + target.name(),
           "has no closed dual under the map " + map.text(), "ask for the generic form");
    }
  }
  return GenericDual(map, target);
}

}  // namespace tain
