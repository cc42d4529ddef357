#include "run/baseline_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/lanes.hpp"
#include "kernels/baselines/myula.hpp"
#include "kernels/baselines/plmc.hpp"
#include "kernels/baselines/scir.hpp"
#include "kernels/baselines/sgrhmc.hpp"
#include "kernels/baselines/sgrld.hpp"
#include "maps/simplex.hpp"
#include "tain/core/error.hpp"
#include "targets/dirichlet.hpp"
#include "targets/expanded_mean.hpp"

namespace tain {
namespace {

constexpr std::array<std::string_view, 5> baselines{"sgrld", "sgrhmc", "scir", "plmc", "myula"};

/// Smallest share that is drawn, as in Simplex.
constexpr double least_share = 1e-290;
/// Chains start no nearer to 0 than this part of the prior mean alpha_l: sgrhmc's force is singular
/// there.
constexpr double least_start = 1e-4;

const DirichletPosterior& require_dirichlet(const Problem& problem, std::string_view kernel) {
  const auto* posterior = problem.target.as<DirichletPosterior>();
  if (!posterior || !problem.map.as<SimplexMap>()) {
    fail(Fault::config, fmt::format("kernel {}", kernel),
         fmt::format("needs a Dirichlet target on the simplex, not {} on {}", problem.target.name(),
                     problem.map.text()),
         "use mld, mala or hmc");
  }
  return *posterior;
}

/// x = theta / sum theta.
void shares(ConstBlock theta, Block x, Workspace& ws) {
  const Workspace::Scope scope(ws);
  const std::span<double> total = ws.array(theta.lanes());
  lanes::sum(theta, total);
  for (std::size_t i = 0; i < theta.rows(); ++i) {
    for (std::size_t l = 0; l < theta.lanes(); ++l) {
      x.at(i, l) = std::max(theta.at(i, l) / total[l], least_share);
    }
  }
}

Walk expanded_walk(const Problem& problem, std::string_view name,
                   std::unique_ptr<const Kernel> kernel) {
  const DirichletPosterior& posterior = require_dirichlet(problem, name);
  const std::vector<double> alpha(posterior.alpha().begin(), posterior.alpha().end());
  const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  const AnyMap map = problem.map;
  return {.kernel = std::move(kernel),
          .potential = ExpandedMean(posterior),
          .to_primal = shares,
          .from_dual = [=](ConstBlock y, Block theta, Workspace& ws) {
            map.to_primal(y, theta, ws);
            for (std::size_t i = 0; i < theta.rows(); ++i) {
              for (std::size_t l = 0; l < theta.lanes(); ++l) {
                theta.at(i, l) = std::max(total * theta.at(i, l), least_start * alpha[i]);
              }
            }
          }};
}

Walk scir_walk(const Problem& problem, const Batching& batch) {
  const DirichletPosterior& posterior = require_dirichlet(problem, "scir");
  const AnyMap map = problem.map;
  const double log_total = std::log(posterior.total());
  return {.kernel = std::make_unique<Scir>(posterior, batch),
          .potential = LogGammas(posterior),
          .to_primal =
              [](ConstBlock y, Block x, Workspace& ws) {
                const Workspace::Scope scope(ws);
                lanes::softmax(y, x, ws.array(y.lanes()));
                lanes::clamp(x.flat(), least_share, 1.0, x.flat());
              },
          .from_dual =
              [map, log_total](ConstBlock y, Block log_theta, Workspace& ws) {
                map.to_primal(y, log_theta, ws);
                lanes::log(log_theta.flat(), log_theta.flat());
                lanes::affine(log_theta.flat(), 1.0, log_total, log_theta.flat());
              }};
}

/// On points of the set itself.
struct Projections {
  Projection onto_set, onto_hull;
};
Projections require_projections(const Problem& problem, std::string_view kernel) {
  auto onto_set = problem.map.projection(), onto_hull = problem.map.hull_projection();
  if (!onto_set || !onto_hull) {
    fail(Fault::config, fmt::format("kernel {}", kernel),
         fmt::format("knows no projection onto {}", problem.map.text()),
         "use mld, mala or hmc; boxes, balls, simplices and products of them have one");
  }
  return {*std::move(onto_set), *std::move(onto_hull)};
}

Walk::BlockMap start_in(const AnyMap& map) {
  return [map](ConstBlock y, Block x, Workspace& ws) { map.to_primal(y, x, ws); };
}

Walk plmc_walk(const Problem& problem) {
  return {.kernel = std::make_unique<Plmc>(require_projections(problem, "plmc").onto_set),
          .potential = problem.target,
          .to_primal = [](ConstBlock y, Block x, Workspace&) { lanes::copy(y.flat(), x.flat()); },
          .from_dual = start_in(problem.map)};
}

Walk myula_walk(const Problem& problem, const std::optional<double>& smoothing) {
  const Projections project = require_projections(problem, "myula");
  return {.kernel = std::make_unique<Myula>(project.onto_set, project.onto_hull, smoothing),
          .potential = Extended(problem.target, project.onto_set),
          .to_primal = project.onto_set,
          .from_dual = start_in(problem.map)};
}

}  // namespace

bool is_baseline(std::string_view kernel) {
  return std::ranges::find(baselines, kernel) != baselines.end();
}

void require_smoothing(const SamplePlan& plan) {
  if (!plan.smoothing) {
    return;
  }
  if (plan.kernel != "myula") {
    fail(Fault::config, Field{"smoothing"}, fmt::format("kernel {} has none", plan.kernel),
         Phrase("leave it out, or use ", Field{"kernel", "myula"}));
  }
  if (!(*plan.smoothing > 0) || !std::isfinite(*plan.smoothing)) {
    fail(Fault::config, Field{"smoothing"}, "must be positive and finite",
         "leave it out for twice the step size");
  }
}

Walk baseline_walk(const Problem& problem, const SamplePlan& plan, const Batching& batch) {
  if (plan.kernel == "sgrld") {
    return expanded_walk(problem, "sgrld", std::make_unique<Sgrld>(batch));
  }
  if (plan.kernel == "sgrhmc") {
    return expanded_walk(problem, "sgrhmc", std::make_unique<Sgrhmc>(batch));
  }
  if (plan.kernel == "scir") {
    return scir_walk(problem, batch);
  }
  if (plan.kernel == "plmc") {
    return plmc_walk(problem);
  }
  TAIN_EXPECTS(plan.kernel == "myula", "a baseline of the list");
  return myula_walk(problem, plan.smoothing);
}

}  // namespace tain
