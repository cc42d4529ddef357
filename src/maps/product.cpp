#include "maps/product.hpp"

#include "tain/core/error.hpp"

namespace tain {
namespace {

using Wanted = std::optional<Projection> (AnyMap::*)() const;

std::optional<Projection> factor_by_factor(std::span<const AnyMap> factors, Wanted wanted) {
  struct Part {
    std::size_t first, count;
    Projection project;
  };
  std::vector<Part> parts;
  std::size_t first = 0;
  for (const AnyMap& factor : factors) {
    std::optional<Projection> project = (factor.*wanted)();
    if (!project) {
      return std::nullopt;
    }
    parts.push_back({first, factor.primal_dim(), *std::move(project)});
    first += factor.primal_dim();
  }
  return [parts](ConstBlock x, Block out, Workspace& ws) {
    for (const Part& part : parts) {
      part.project(x.slice(part.first, part.count), out.slice(part.first, part.count), ws);
    }
  };
}

}  // namespace

ProductMap::ProductMap(std::vector<AnyMap> factors) : factors_(std::move(factors)) {
  if (factors_.empty()) {
    fail(Fault::config, "product", "there is no factor", "give at least one map");
  }
  Part next{0, 0};
  for (const AnyMap& factor : factors_) {
    parts_.push_back(next);
    next.primal += factor.primal_dim();
    next.dual += factor.dual_dim();
  }
}

std::string ProductMap::name() const {
  std::string text = "product(";
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    text += (f == 0 ? "" : ", ") + factors_[f].name();
  }
  return text + ")";
}

void ProductMap::to_primal(ConstBlock y, Block x, Workspace& ws) const {
  TAIN_EXPECTS(y.rows() == dual_dim() && x.rows() == primal_dim(), "wrong number of rows");
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    factors_[f].to_primal(dual(y, f), primal(x, f), ws);
  }
}

void ProductMap::to_dual(ConstBlock x, Block y, Workspace& ws) const {
  TAIN_EXPECTS(y.rows() == dual_dim() && x.rows() == primal_dim(), "wrong number of rows");
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    factors_[f].to_dual(primal(x, f), dual(y, f), ws);
  }
}

void ProductMap::pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy,
                           Workspace& ws) const {
  TAIN_EXPECTS(gx.rows() == primal_dim() && gy.rows() == dual_dim(), "wrong number of rows");
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    factors_[f].pull_back(dual(y, f), primal(x, f), primal(gx, f), dual(gy, f), ws);
  }
}

void ProductMap::add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                             Workspace& ws) const {
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    factors_[f].add_log_det(dual(y, f), primal(x, f), value, dual(gy, f), ws);
  }
}

bool ProductMap::contains(std::span<const double> x) const {
  bool inside = x.size() == primal_dim();
  for (std::size_t f = 0; inside && f < factors_.size(); ++f) {
    inside = factors_[f].contains(x.subspan(parts_[f].primal, factors_[f].primal_dim()));
  }
  return inside;
}

void ProductMap::centre(std::span<double> x) const {
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    factors_[f].centre(x.subspan(parts_[f].primal, factors_[f].primal_dim()));
  }
}

std::optional<Projection> ProductMap::projection() const {
  return factor_by_factor(factors_, &AnyMap::projection);
}

std::optional<Projection> ProductMap::hull_projection() const {
  return factor_by_factor(factors_, &AnyMap::hull_projection);
}

}  // namespace tain
