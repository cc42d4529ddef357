#include "kernels/baselines/scir.hpp"

#include "core/lanes.hpp"
#include "kernels/baselines/steps.hpp"
#include "random/gamma.hpp"

namespace tain {

Scir::Scir(DirichletPosterior posterior, Batching batching)
    : posterior_(std::move(posterior)), batching_(batching) {}

void Scir::advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                   const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const Block shapes = ws.block(dim, lanes);  // counts, or the batch's scaled up, and alpha
  const std::uint64_t terms = posterior_.terms();
  if (exact()) {
    for (std::size_t i = 0; i < dim; ++i) {
      lanes::fill(posterior_.counts()[i], {shapes.row(i), lanes});
    }
  } else {
    const Batches batches = draw_batches(noise, t, chains.first_chain, lanes, terms, batching_, ws);
    posterior_.count_categories(batches, shapes);
    lanes::affine(shapes.flat(), double(terms) / double(batches.size), 0.0, shapes.flat());
  }
  lanes::affine_rows({}, posterior_.alpha(), shapes);
  lanes::copy(chains.y.view().flat(), chains.next_y.view().flat());
  log_step(noise, {Purpose::proposal, t, chains.first_chain}, shapes, tuning.step_size,
           chains.next_y.view());
  baselines::take_finite(W, exact() ? baselines::Evaluate::whole : baselines::Evaluate::none,
                         chains, info, ws.array(lanes), ws);
}

}  // namespace tain
