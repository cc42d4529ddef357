#include "kernels/baselines/sgrhmc.hpp"

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "kernels/baselines/steps.hpp"

namespace tain {

void Sgrhmc::prepare(ChainBlock& chains) const { lanes::fill(0.0, chains.memory.view().flat()); }

void Sgrhmc::advance(const AnyPotential& U, const NoiseField& noise, std::uint64_t t,
                     const Tuning& tuning, ChainBlock& chains, StepInfo& info,
                     Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const double epsilon = tuning.step_size;
  const ConstBlock grad = baselines::step_gradient(U, noise, t, chains, batching_, ws);
  const FloatBlock xi = ws.float_block(dim, lanes);
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  const Block next_r = ws.block(dim, lanes);
  for (std::size_t i = 0; i < dim; ++i) {
    const double *theta = chains.y.view().row(i), *slope = grad.row(i);
    const double* r = chains.memory.view().row(i);
    const float* z = xi.row(i);
    double *next = chains.next_y.view().row(i), *kicked = next_r.row(i);
    for (std::size_t l = 0; l < lanes; ++l) {
      const double root = std::sqrt(theta[l]);
      const double force = 0.5 / root - root * slope[l] - theta[l] * r[l];
      const double p = r[l] + epsilon * force + std::sqrt(2 * epsilon) * root * double(z[l]);
      const double moved = theta[l] + epsilon * root * p;
      kicked[l] = moved < 0 ? -p : p;
      // In this order std::max lets NaN through.
      next[l] = std::max(std::abs(moved), baselines::least_theta);
    }
  }
  const bool whole = batching_.whole(U.terms());
  const std::span<double> chosen = ws.array(lanes);
  baselines::take_finite(U, whole ? baselines::Evaluate::whole : baselines::Evaluate::none, chains,
                         info, chosen, ws);
  lanes::select(chosen, next_r, chains.memory.view());
}

}  // namespace tain
