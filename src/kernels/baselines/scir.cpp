#include "kernels/baselines/scir.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/lanes.hpp"
#include "kernels/baselines/steps.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

// Indices of a Stream per coordinate: 512 uniforms, of which a draw takes a dozen at most but with
// probability 1e-50 (every trial of the rejection methods fails with probability 0.12 at most).
constexpr std::size_t indices_each = 256;
constexpr std::size_t most_categories = (std::size_t{1} << 32) / indices_each;

}  // namespace

Scir::Scir(DirichletPosterior posterior, Batching batching)
    : posterior_(std::move(posterior)), batching_(batching) {
  if (posterior_.dim() > most_categories) {
    fail(Fault::config, "kernel scir",
         fmt::format("{} categories are more than {}", posterior_.dim(), most_categories),
         "use mld, mala or hmc");
  }
}

void Scir::advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                   const Tuning& tuning, ChainBlock& chains, StepInfo& info, Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const Block shape = ws.block(dim, lanes);  // A - alpha: counts, or the batch's scaled up
  const std::uint64_t terms = posterior_.terms();
  if (exact()) {
    for (std::size_t i = 0; i < dim; ++i) {
      lanes::fill(posterior_.counts()[i], {shape.row(i), lanes});
    }
  } else {
    const Batches batches = draw_batches(noise, t, chains.first_chain, lanes, terms, batching_, ws);
    posterior_.count_categories(batches, shape);
    lanes::affine(shape.flat(), double(terms) / double(batches.size), 0.0, shape.flat());
  }
  const double growth = std::expm1(tuning.step_size);
  const double log_scale = std::log(-std::expm1(-tuning.step_size));
  for (std::size_t i = 0; i < dim; ++i) {
    const double alpha = posterior_.alpha()[i];
    for (std::size_t l = 0; l < lanes; ++l) {
      Stream stream(noise, Purpose::proposal, t, chains.first_chain + static_cast<std::uint32_t>(l),
                    static_cast<std::uint32_t>(i * indices_each));
      const double jumps = stream.poisson(std::exp(chains.y.view().at(i, l)) / growth);
      chains.next_y.view().at(i, l) = log_scale + stream.log_gamma(alpha + shape.at(i, l) + jumps);
    }
  }
  baselines::take_finite(W, exact() ? baselines::Evaluate::whole : baselines::Evaluate::none,
                         chains, info, ws.array(lanes), ws);
}

}  // namespace tain
