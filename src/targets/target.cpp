#include "tain/targets/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/names.hpp"
#include "maps/set_kind.hpp"
#include "maps/simplex.hpp"
#include "targets/target_kind.hpp"

namespace tain {

std::size_t known(const Dim& dim) {
  if (!dim) {
    fail(Fault::usage, Field{"dim"}, "the number of coordinates is not known",
         Phrase("let the set say it, or give ", Field{"dim", "N"}));
  }
  return *dim;
}

struct Target::Made {
  std::mutex mutex;
  Dim dim;
  std::optional<AnyPotential> potential;
};

Target::Target(std::shared_ptr<const TargetKind> kind)
    : kind_(std::move(kind)), made_(std::make_shared<Made>()) {}

Dim Target::dim() const {
  Dimension own;
  claim(own);
  return own.agreed();
}

std::string Target::name() const { return kind_->name(); }

Target Target::with_dim(std::size_t dim) const {
  Target closed(kind_);
  closed.dim_ = dim;
  return closed;
}

void Target::claim(Dimension& dimension) const {
  kind_->claim(dimension);
  if (dim_) {
    dimension.claim(*dim_, fmt::format("target {}", name()));
  }
}

AnyPotential Target::potential(Dim dim) const {
  dim = dim ? dim : this->dim();
  const std::lock_guard lock(made_->mutex);
  if (!made_->potential || made_->dim != dim) {
    made_->potential = kind_->potential(dim);
    made_->dim = dim;
  }
  return *made_->potential;
}

AnyMap map_of(const Set& set, const AnyPotential& target) {
  MapHints hints;
  // Parts of a product get none.
  if (set.kind().name() == "simplex" && target.dim() >= 2) {
    TargetFacts facts = target.facts(SimplexMap::symmetric(target.dim()));
    hints = {.typical_point = std::move(facts.start), .weights = std::move(facts.weights)};
  }
  return set.map(target.dim(), hints);
}

// One per kind, beside it in kinds/.
TargetEntry dirichlet_entry();
TargetEntry gaussian_entry();
TargetEntry uniform_entry();
TargetEntry linear_regression_entry();
TargetEntry logistic_regression_entry();
TargetEntry library_entry();

std::span<const TargetEntry> target_table() {
  static const std::array table{
      dirichlet_entry(),           gaussian_entry(), uniform_entry(), linear_regression_entry(),
      logistic_regression_entry(), library_entry()};
  return table;
}

std::vector<NamedKind> list_targets() { return named_kinds(target_table()); }

const TargetEntry* find_target(std::string_view name) {
  const auto found = std::ranges::find(target_table(), name, &TargetEntry::name);
  return found == target_table().end() || !found->make ? nullptr : &*found;
}

}  // namespace tain
