#include "targets/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"

namespace tain {
namespace {

DirichletPosterior flat_dirichlet(std::size_t categories) {
  return {std::vector<double>(categories, 0.0), std::vector<double>(categories, 1.0)};
}

}  // namespace

Uniform::Uniform(std::size_t dim) : dim_(dim) {
  if (dim == 0) {
    fail(Fault::config, "target uniform", "dimension 0", "give a dimension of 1 or more");
  }
}

std::string Uniform::name() const { return fmt::format("uniform({})", dim_); }

void Uniform::evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace&) const {
  std::fill_n(value.begin(), x.lanes(), 0.0);
  std::ranges::fill(grad.flat(), 0.0);
}

std::optional<AnyPotential> Uniform::closed_dual(const AnyMap& map) const {
  if (!map.as<SimplexMap>() || map.primal_dim() != dim_) {
    return std::nullopt;
  }
  return flat_dirichlet(dim_).closed_dual(map);
}

TargetFacts Uniform::facts(const AnyMap& map) const {
  TargetFacts facts;
  if (map.primal_dim() != dim_) {
    return facts;
  }
  if (map.as<SimplexMap>()) {
    facts = flat_dirichlet(dim_).facts(map);
    facts.weights.clear();
    return facts;
  }
  if (const BoxMap* box = map.as<BoxMap>()) {
    for (std::size_t i = 0; i < dim_; ++i) {
      const double width = box->upper()[i] - box->lower()[i];
      if (!std::isfinite(width)) {
        return {};
      }
      facts.mean.push_back(box->lower()[i] + width / 2);
      facts.variance.push_back(width * width / 12);
    }
  }
  return facts;
}

}  // namespace tain
