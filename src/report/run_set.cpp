// The set and the exact laws that plots are drawn against.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/special.hpp"
#include "report/run_page.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/uniform.hpp"

namespace tain {

Outline outline_of(const Draws& draws) {
  // Text files keep six digits or so of every share.
  constexpr double rounding = 1e-4;
  const std::size_t dim = draws.names.size();
  for (std::size_t first = 0; first < draws.values.size(); first += dim) {
    double sum = 0;
    for (const double share : draws.values.subspan(first, dim)) {
      if (!(share >= 0)) {
        return {};
      }
      sum += share;
    }
    if (!(std::abs(sum - 1) <= rounding)) {
      return {};
    }
  }
  return {.kind =
              dim > 1 && !draws.values.empty() ? Outline::Kind::triangle : Outline::Kind::unknown};
}

double MarginalLaw::cdf(double x) const {
  switch (kind) {
    case Kind::beta:
      return x <= 0 ? 0.0 : x >= 1 ? 1.0 : beta_cdf(std::log(x), first, second);
    case Kind::normal:
      return normal_cdf((x - first) / second);
    case Kind::uniform:
      return std::clamp((x - first) / (second - first), 0.0, 1.0);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<MarginalLaw> marginal_laws(const AnyMap& map, const AnyPotential& target) {
  std::vector<MarginalLaw> laws;
  const Outline set = map.outline();
  const std::size_t dim = map.primal_dim();
  if (set.kind == Outline::Kind::triangle) {
    const DirichletPosterior* posterior = target.as<DirichletPosterior>();
    const bool uniform = target.as<Uniform>() != nullptr;  // Dirichlet(1, ..., 1)
    for (std::size_t i = 0; i < dim && (posterior || uniform); ++i) {
      const double weight = posterior ? posterior->weights()[i] : 1.0;
      const double total = posterior ? posterior->total() : static_cast<double>(dim);
      // total - weight cancels where one category has nearly all; a sum of the others does not.
      double rest = total - weight;
      if (posterior && rest < 1e-3 * total) {
        rest = 0;
        for (std::size_t j = 0; j < dim; ++j) {
          rest += j == i ? 0.0 : posterior->weights()[j];
        }
      }
      laws.push_back({MarginalLaw::Kind::beta, weight, rest});
    }
  }
  if (set.kind == Outline::Kind::range && target.as<Uniform>()) {
    for (std::size_t i = 0; i < dim; ++i) {
      if (std::isinf(set.lower[i]) || std::isinf(set.upper[i])) {
        return {};
      }
      laws.push_back({MarginalLaw::Kind::uniform, set.lower[i], set.upper[i]});
    }
  }
  if (set.kind == Outline::Kind::none && target.as<Gaussian>()) {
    const TargetFacts facts = target.facts(map);
    for (std::size_t i = 0; i < facts.mean.size() && i < facts.variance.size(); ++i) {
      laws.push_back({MarginalLaw::Kind::normal, facts.mean[i], std::sqrt(facts.variance[i])});
    }
  }
  return laws.size() == dim ? laws : std::vector<MarginalLaw>();
}

}  // namespace tain
