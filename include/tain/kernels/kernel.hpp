// Kernel: one transition in the dual space for a block of chains. Knows no constraint, file or
// thread.
//
// Laws: a step is a function of (W, noise, t, tuning, state): the same arguments give the same
// bits,
//   whatever ran before; lanes are independent; after a step, value and grad belong to y.
// What a chain needs for its next step is in ChainBlock, what diagnostics need in StepInfo, and
// what warm-up may change in Tuning.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/block.hpp"
#include "tain/core/workspace.hpp"
#include "tain/random/noise.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

/// Consecutive chains in lockstep: lane l is chain first_chain + l; lanes beyond `chains` are
/// padding that is simulated and never looked at.
struct ChainBlock {
  ChainBlock(std::uint32_t first, std::size_t num_chains, std::size_t dim);

  std::size_t lanes() const { return y.lanes(); }

  std::uint32_t first_chain;
  std::size_t chains;
  BlockStorage y;             ///< state
  BlockStorage grad;          ///< grad W(y)
  std::vector<double> value;  ///< W(y), per lane
  BlockStorage next_y;        ///< room for a proposal, so that accepting one is a swap
  BlockStorage next_grad;
  std::vector<double> next_value;
};

/// Outcome of a step, per lane.
struct StepInfo {
  explicit StepInfo(std::size_t lanes)
      : acceptance(lanes, 1.0), divergent(lanes, 0.0), length_slope(lanes, 0.0) {}
  std::vector<double> acceptance;  ///< Metropolis acceptance probability of the proposal
  std::vector<double>
      divergent;  ///< 1 where the proposal was not finite or its energy error exceeded 1000
  std::vector<double> length_slope;  ///< HMC: slope of the length criterion in log tau
};

/// What warm-up chooses and sampling keeps fixed; shared by all chains.
struct Tuning {
  double step_size = 0.1;  ///< beta of Langevin, epsilon of HMC
  std::vector<double> scale =
      {};  ///< s_i: diagonal preconditioner P = diag(s_i^2); empty: identity
  double trajectory_length = 1.0;      ///< HMC only, in units of scaled time
  std::uint64_t max_leapfrogs = 1024;  ///< HMC only: bound on the work of one step
  std::vector<double> centre =
      {};  ///< HMC warm-up only: running mean of y, for the ChEES criterion
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string_view name() const = 0;
  /// Leaves the target invariant exactly?
  virtual bool exact() const = 0;
  /// Moves by diffusion, so that draws want several steps between them?
  virtual bool diffuses() const = 0;
  /// Acceptance that step-size adaptation aims at.
  virtual double target_acceptance() const = 0;
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
/// Fills value and grad from y.
void evaluate(const AnyPotential& W, ChainBlock& chains, Workspace& ws);

/// Kernel by name ("mld", "mala", "hmc"); throws Error (usage) that suggests the nearest.
std::unique_ptr<const Kernel> make_kernel(std::string_view name);
/// Names and one-line descriptions, for `tain kernels`.
struct KernelEntry {
  std::string_view name;
  std::string_view summary;
};
std::span<const KernelEntry> kernel_table();

}  // namespace tain
