// The one call: draws from a target on a set, and whether to trust them.
//
//     tain::Run run = tain::sample(tain::simplex(3), target, {.seed = 1});
//     std::puts(run.text().c_str());
//
// Definition: sample() builds the problem, refuses what does not fit into memory, runs the chains,
//   judges the draws, and writes the output and the page that the plan names. A run that its
//   progress function stopped has the draws that were complete by then; with an output it can be
//   resumed, and gives the bits of one that was not stopped.
// Laws: bits depend on set, target and what shapes the draws in the plan; not on threads, ranks,
//   checkpoints and stops.
#pragma once

#include <filesystem>
#include <optional>

#include "tain/comm/comm.hpp"
#include "tain/maps/set.hpp"
#include "tain/run/plan.hpp"
#include "tain/sampling/run.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target.hpp"

namespace tain {

Run sample(const Set& set, const Target& target, const SamplePlan& plan = {});
/// On the target's own set: a simplex for dirichlet, all of space for others.
Run sample(const Target& target, const SamplePlan& plan = {});
/// One rank's part: draws, files and what was found are those of rank 0.
Run sample(const std::optional<Set>& set, const Target& target, const SamplePlan& plan,
           Comm& ranks);

/// Goes on with the stopped run of an output as it was asked for, or gives back the finished one.
/// A target of one's own, and a set with a map of one's own, must be given again. `manner`: how it
/// is done; what shapes the draws is as it was.
Run resume(const std::filesystem::path& output, const std::optional<Target>& own_target = {},
           const std::optional<Set>& own_set = {}, const SamplePlan& manner = {});

/// Does the gradient of the target fit its values at points of the set
/// (targets/check_gradient.hpp)?
GradientCheck check_gradient(const Set& set, const Target& target, std::uint64_t seed = 1);
/// The same for W in the dual, which tests the map of the set as well.
GradientCheck check_dual_gradient(const Set& set, const Target& target, std::uint64_t seed = 1);

}  // namespace tain
