// What ranks tell each other about their chains.
#include "run/chains_of_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "run/state.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

StepSums sums_of(std::span<const double> turn) {
  std::array<double, step_sums_size> numbers;
  std::ranges::copy(turn.first<step_sums_size>(), numbers.begin());
  return std::bit_cast<StepSums>(numbers);
}

void put_sums(const StepSums& sums, std::span<double> turn) {
  std::ranges::copy(std::bit_cast<std::array<double, step_sums_size>>(sums), turn.begin());
}

}  // namespace

ChainRange chains_of_rank(std::uint32_t chains, int rank, int ranks) {
  const auto begin = [&](int r) {
    const auto all = static_cast<std::uint64_t>(ranks);
    return static_cast<std::uint32_t>(
        (std::uint64_t{chains} * static_cast<std::uint64_t>(r) + all - 1) / all);
  };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

void Sampler::State::require_same_on_all_ranks(std::uint64_t value, std::string_view what) {
  std::uint64_t others = broadcast_value(comm, value) == value ? 0 : 1;
  comm.sum({&others, 1});
  if (others > 0) {
    fail(Fault::config, "ranks",
         fmt::format("the {} of {} of {} differ from those of the first", what, others,
                     comm.ranks()),
         "start all with the same options and files, on machines of one kind");
  }
}

// The states of the first lane group, as a block: padding repeats the last chain.
std::vector<double> Sampler::State::first_chains() {
  const std::size_t chains = std::min<std::size_t>(plan.chains, lane_group);
  std::vector<double> y(W.dim() * lane_group);
  comm.ordered_reduce(std::as_writable_bytes(std::span(y)), [&] {
    for (const ChainBlock& block : blocks) {
      for (std::size_t l = 0; l < block.chains && block.first_chain + l < chains; ++l) {
        for (std::size_t i = 0; i < W.dim(); ++i) {
          double* const row = y.data() + i * lane_group;
          std::fill(row + block.first_chain + l, row + lane_group, block.y.view().at(i, l));
        }
      }
    }
  });
  return y;
}

void Sampler::State::share(std::uint64_t steps, const NonFinite& lost) {
  const bool in_windows = schedule.in_windows(t);
  turn.resize(step_sums_size + (in_windows ? moments.turn_size() : 0));
  const auto add_own = [&] {
    StepSums sums = comm.is_root() ? StepSums{} : sums_of(turn);
    if (comm.is_root()) {
      sums.report_due = pace.due() ? 1 : 0;
      sums.next_chunk = double(pace.next(steps));
    }
    add_step(sums);
    sums.divergences += divergences();
    if (lost < NonFinite{} && double(lost.step) < sums.lost_step) {
      sums.lost_step = double(lost.step);
      sums.lost_chain = lost.chain;
    }
    put_sums(sums, turn);
    if (in_windows) {
      const std::span<double> rest = std::span(turn).subspan(step_sums_size);
      if (comm.is_root()) {
        moments.open(blocks.front(), rest);
      }
      moments.pass(blocks, rest);
    }
  };
  comm.ordered_reduce(std::as_writable_bytes(std::span(turn)), std::ref(add_own));
  step_sums = sums_of(turn);
  if (std::isfinite(step_sums.lost_step)) {
    report_non_finite({static_cast<std::uint64_t>(step_sums.lost_step),
                       static_cast<std::uint32_t>(step_sums.lost_chain)});
  }
}

}  // namespace tain
