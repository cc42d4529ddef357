#include "kernels/baselines/plmc.hpp"

#include "kernels/baselines/steps.hpp"

namespace tain {

void Plmc::advance(const AnyPotential& V, const NoiseField& noise, std::uint64_t t,
                   const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  baselines::propose_langevin(noise, t, tuning.step_size, chains, ws);
  baselines::project_finite(onto_set_, chains.next_y.view(), ws);
  baselines::take_finite(V, baselines::Evaluate::whole, chains, info, ws.array(chains.lanes()), ws);
}

}  // namespace tain
