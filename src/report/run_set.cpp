// The set and the exact laws that plots are drawn against.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tain/core/special.hpp"
#include "tain/maps/ball.hpp"
#include "tain/maps/box.hpp"
#include "tain/maps/simplex.hpp"
#include "tain/maps/stretched_simplex.hpp"
#include "tain/report/run_page.hpp"
#include "tain/targets/dirichlet.hpp"
#include "tain/targets/gaussian.hpp"
#include "tain/targets/uniform.hpp"

namespace tain {
namespace {

bool unbounded(const SetShape& set) {
  const auto infinite = [](double v) { return std::isinf(v); };
  return std::ranges::all_of(set.lower, infinite) && std::ranges::all_of(set.upper, infinite);
}

}  // namespace

SetShape shape_of(const AnyMap& map) {
  SetShape set;
  if (const Simplex* simplex = map.as<Simplex>()) {
    set.kind = SetShape::Kind::simplex;
    set.reference = simplex->reference();
  } else if (const StretchedSimplex* stretched = map.as<StretchedSimplex>()) {
    set.kind = SetShape::Kind::simplex;
    set.reference = stretched->reference();
  } else if (const Ball* ball = map.as<Ball>()) {
    set.kind = SetShape::Kind::ball;
    set.centre.resize(ball->primal_dim());
    ball->centre(set.centre);
    set.radius = ball->radius();
  } else if (const Box* box = map.as<Box>()) {
    set.lower.assign(box->lower().begin(), box->lower().end());
    set.upper.assign(box->upper().begin(), box->upper().end());
    set.kind = unbounded(set) ? SetShape::Kind::whole : SetShape::Kind::box;
  }
  return set;
}

SetShape shape_of(const RunDraws& draws) {
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
  SetShape set;
  set.kind = dim > 1 && !draws.values.empty() ? SetShape::Kind::simplex : SetShape::Kind::unknown;
  return set;
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
  const SetShape set = shape_of(map);
  const std::size_t dim = map.primal_dim();
  if (set.kind == SetShape::Kind::simplex) {
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
  if (set.kind == SetShape::Kind::box && target.as<Uniform>()) {
    for (std::size_t i = 0; i < dim; ++i) {
      if (std::isinf(set.lower[i]) || std::isinf(set.upper[i])) {
        return {};
      }
      laws.push_back({MarginalLaw::Kind::uniform, set.lower[i], set.upper[i]});
    }
  }
  if (set.kind == SetShape::Kind::whole && target.as<Gaussian>()) {
    const TargetFacts facts = target.facts(map);
    for (std::size_t i = 0; i < facts.mean.size() && i < facts.variance.size(); ++i) {
      laws.push_back({MarginalLaw::Kind::normal, facts.mean[i], std::sqrt(facts.variance[i])});
    }
  }
  return laws.size() == dim ? laws : std::vector<MarginalLaw>();
}

}  // namespace tain
