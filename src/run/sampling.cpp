// Sampling: nothing adapts, every block runs on its own, draws go to their places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run/state.hpp"
#include "tain/core/error.hpp"

namespace tain {

void Sampler::State::sample_chunk(std::uint64_t steps, DrawSink& sink) {
  const NonFinite lost = parcels ? sample_pieces(steps, sink) : sample_piece(steps, sink);
  share(steps, lost);
}

// In pieces: the draws of one travel while the next are made. A rank that has lost a chain goes
// through the others' pieces without its own.
NonFinite Sampler::State::sample_pieces(std::uint64_t steps, DrawSink& sink) {
  constexpr std::uint64_t pieces = 8;
  const std::uint64_t longest = std::min((steps + pieces - 1) / pieces, parcels->capacity() * thin);
  NonFinite lost;
  for (const std::uint64_t end = t + steps; t < end;) {
    const std::uint64_t piece = std::min(longest, end - t), first = draws_done();
    const std::uint64_t beyond = (t + piece - plan.warmup) / thin;
    DrawSink& parcel = parcels->open(first, beyond - first, sink);
    if (lost.step == NonFinite{}.step) {
      lost = sample_piece(piece, parcel);
    } else {
      step_over(piece);
    }
    parcels->send();
  }
  parcels->settle(sink);
  return lost;
}

NonFinite Sampler::State::sample_piece(std::uint64_t steps, DrawSink& sink) {
  lost_in.assign(blocks.size(), {});
  threads.for_each(blocks.size(),
                   [&](std::size_t b) { lost_in[b] = sample_block(b, steps, sink); });
  step_over(steps);
  return lost_in.empty() ? NonFinite{} : *std::ranges::min_element(lost_in);
}

void Sampler::State::step_over(std::uint64_t steps) {
  for (const std::uint64_t end = t + steps; t < end; ++t) {
    tuning.step_size = step_size_at(t);
    gradients += kernel->gradients(t, tuning);
  }
}

NonFinite Sampler::State::sample_block(std::size_t b, std::uint64_t steps, DrawSink& sink) {
  ChainBlock& block = blocks[b];
  StepInfo& info = infos[b];
  Tuning now = tuning;
  block.fill_padding();
  for (std::uint64_t s = t; s < t + steps; ++s) {
    now.step_size = step_size_at(s);
    kernel->advance(W, noise, s, now, block, info, workspaces[b]);
    for (std::size_t l = 0; l < block.chains; ++l) {
      const std::size_t chain = block.first_chain - own.first + l;
      acceptance_sum[chain] += info.acceptance[l];
      if (info.divergent[l] != 0) {
        diverged[chain] += 1;
        lost_now[b][l] = 1;
        if (!kernel->exact() && plan.on_non_finite == OnNonFinite::fail) {
          return {s, block.first_chain + static_cast<std::uint32_t>(l)};
        }
      }
    }
    if ((s + 1 - plan.warmup) % thin == 0) {
      put_draws(b, (s + 1 - plan.warmup) / thin - 1, sink);
    }
  }
  return {};
}

void Sampler::State::put_draws(std::size_t b, std::uint64_t draw, DrawSink& sink) {
  const ChainBlock& block = blocks[b];
  Workspace& ws = workspaces[b];
  Workspace::Scope scope(ws);
  const ConstBlock y = block.y.view();
  const Block x = ws.block(problem.map.primal_dim(), block.lanes());
  walk.to_primal(y, x, ws);
  const std::span<double> primal = ws.array(x.rows()), state = ws.array(y.rows());
  for (std::size_t l = 0; l < block.chains; ++l) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      primal[i] = x.at(i, l);
    }
    for (std::size_t i = 0; i < y.rows(); ++i) {
      state[i] = y.at(i, l);
    }
    sink.put({.chain = block.first_chain + static_cast<std::uint32_t>(l),
              .draw = draw,
              .primal = primal,
              .dual = state,
              .log_density = -block.value[l],
              .acceptance = infos[b].acceptance[l],
              .divergent = lost_now[b][l] != 0});
    lost_now[b][l] = 0;
  }
}

void Sampler::State::report_non_finite(const NonFinite& lost) const {
  const double step_size = step_size_at(lost.step);
  fail(Fault::data,
       fmt::format("kernel {}, chain {}, step {}", kernel->name(), lost.chain + 1, lost.step + 1),
       fmt::format("the state is no longer finite at step size {:.3g}", step_size),
       Phrase("use ", Field{"step_size", fmt::format("{:.2g}", step_size / 4)},
              kernel->reports_acceptance() ? ", leave it to warm-up, or use " : ", or use ",
              Field{"kernel", "mala"}));
}

double Sampler::State::divergences() const {
  return std::accumulate(diverged.begin(), diverged.end(), 0.0);  // whole numbers: in any order
}

}  // namespace tain
