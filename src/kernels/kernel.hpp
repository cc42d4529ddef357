// Kernel: one transition in the dual space for a block of chains. Knows no constraint, file or
// thread.
//
// The space is the dual of a mirror map for mld, smld, mala and hmc; the baselines walk in spaces
// of their own (run/walk.hpp says which), by the same contract.
// Laws: a step is a function of (W, noise, t, tuning, state), the same arguments give the same bits
//   whatever ran before; lanes are independent; after a step, value and grad belong to y, except
//   that kernels on mini-batches leave grad alone and set value to NaN where they did not look at
//   the whole potential.
// What a chain needs for its next step is in ChainBlock, what diagnostics need in StepInfo, and
// what warm-up may change in Tuning.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "random/noise.hpp"
#include "tain/core/block.hpp"
#include "tain/core/workspace.hpp"
#include "tain/kernels/tuning.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// Consecutive chains in lockstep: lane l is chain first_chain + l; lanes beyond `chains` are
/// padding that is simulated and never looked at.
struct ChainBlock {
  ChainBlock(std::uint32_t first, std::size_t num_chains, std::size_t dim,
             std::size_t memory_rows = 0);

  std::size_t lanes() const { return y.lanes(); }
  /// Lanes beyond the chains become copies of the last one, so that they go nowhere.
  void fill_padding();

  std::uint32_t first_chain;
  std::size_t chains;
  BlockStorage y;             ///< state
  BlockStorage grad;          ///< grad W(y)
  std::vector<double> value;  ///< W(y), per lane
  BlockStorage memory;        ///< what a kernel keeps besides y (Kernel::memory_rows)
  BlockStorage next_y;        ///< room for a proposal, so that accepting one is a swap
  BlockStorage next_grad;
  std::vector<double> next_value;
};

/// Outcome of a step, per lane.
struct StepInfo {
  explicit StepInfo(std::size_t lanes)
      : acceptance(lanes, 1.0), divergent(lanes, 0.0), length_slope(lanes, 0.0) {}
  std::vector<double> acceptance;  ///< Metropolis acceptance probability of the proposal
  /// 1 where the proposal was not finite or its energy error exceeded 1000.
  std::vector<double> divergent;
  std::vector<double> length_slope;  ///< HMC: slope of the length criterion in log tau
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string_view name() const = 0;
  /// Leaves the target invariant exactly?
  virtual bool exact() const = 0;
  /// Is StepInfo::acceptance that of a Metropolis test, so that it can choose the step size and,
  /// for unadjusted kernels, indicate their bias?
  virtual bool reports_acceptance() const { return true; }
  /// Acceptance that step-size adaptation aims at.
  virtual double target_acceptance() const = 0;
  /// Steps in which the slowest coordinate forgets, given its variances; 0: less than one step.
  virtual double relaxation(std::span<const double> variance, const Tuning& tuning) const = 0;
  /// Rows of ChainBlock::memory, for a state of `dim` coordinates.
  virtual std::size_t memory_rows(std::size_t dim) const {
    static_cast<void>(dim);
    return 0;
  }
  /// Fills the memory of chains that stand at their first y. value and grad belong to y.
  virtual void prepare(ChainBlock& chains) const { static_cast<void>(chains); }
  /// Gradients that step t takes per chain: known beforehand, the same for every chain.
  virtual std::uint64_t gradients(std::uint64_t t, const Tuning& tuning) const = 0;
  /// Advances every lane by one step.
  virtual void advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                       const Tuning& tuning, ChainBlock& chains, StepInfo& info,
                       Workspace& ws) const = 0;
};

/// Metropolis test: acceptance and divergent from the log ratio of every lane (NaN and +inf mean a
/// proposal that cannot be used). chosen[l] = 1 where the proposal is taken.
void metropolis(const NoiseField& noise, std::uint64_t t, std::uint32_t first_chain,
                std::span<const double> log_ratio, StepInfo& info, std::span<double> chosen);
/// Makes the proposal the state where chosen[l] = 1.
void take_proposal(std::span<const double> chosen, ChainBlock& chains);
/// Slowest var_i / (beta s_i^2): the relaxation of Langevin steps.
double langevin_relaxation(std::span<const double> variance, const Tuning& tuning);
/// Fills value and grad from y.
void evaluate(const AnyPotential& W, ChainBlock& chains, Workspace& ws);

}  // namespace tain
