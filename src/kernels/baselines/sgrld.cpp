#include "kernels/baselines/sgrld.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/baselines/steps.hpp"

namespace tain {

void Sgrld::advance(const AnyPotential& U, const NoiseField& noise, std::uint64_t t,
                    const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const double epsilon = tuning.step_size;
  const ConstBlock grad = baselines::step_gradient(U, noise, t, chains, batching_, ws);
  const FloatBlock xi = ws.float_block(dim, lanes);
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  for (std::size_t i = 0; i < dim; ++i) {
    const double *theta = chains.y.view().row(i), *slope = grad.row(i);
    const float* z = xi.row(i);
    double* next = chains.next_y.view().row(i);
    for (std::size_t l = 0; l < lanes; ++l) {
      const double drift = epsilon * (1 - theta[l] * slope[l]);
      const double diffusion = std::sqrt(2 * epsilon * theta[l]) * double(z[l]);
      // In this order std::max lets NaN through.
      next[l] = std::max(std::abs(theta[l] + drift + diffusion), baselines::least_theta);
    }
  }
  const bool whole = batching_.whole(U.terms());
  baselines::take_finite(U, whole ? baselines::Evaluate::whole : baselines::Evaluate::none, chains,
                         info, ws.array(lanes), ws);
}

}  // namespace tain
