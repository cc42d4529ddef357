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
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/comm/comm.hpp"
#include "tain/core/file.hpp"
#include "tain/diagnose/exact.hpp"
#include "tain/diagnose/summary.hpp"
#include "tain/draws/draws.hpp"
#include "tain/maps/set.hpp"
#include "tain/report/run_page.hpp"
#include "tain/run/sampler.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target.hpp"

namespace tain {

/// Values of one parameter, with their shape: chains, draws, and that of the parameter.
struct Array {
  std::vector<double> values;
  std::vector<std::size_t> shape;
};

/// What was asked for and what was done.
struct RunRecord {
  SamplePlan plan;  ///< with "auto" as what it meant
  std::string target, map;
  std::vector<std::string> notes;             ///< what was decided on the user's behalf
  std::map<std::string, std::string> inputs;  ///< files with their hashes
  std::string version, isa, compiler, started, ended, stop_reason;
  RunSummary done;
};

class Run {
 public:
  const Draws& draws() const;
  /// Of one parameter, by its name. Throws Error (usage) with the nearest name.
  Array operator[](std::string_view parameter) const;
  bool finished() const;
  /// Has files that a stopped run can be continued from.
  bool resumable() const;
  /// Are there draws enough to say anything about them? Else what follows throws Error (config).
  bool judged() const;
  const Diagnosis& diagnosis() const;
  const std::vector<SummaryRow>& summary() const { return diagnosis().rows; }
  const Verdict& verdict() const { return diagnosis().verdict; }
  /// Draws beside exact moments, where the target knows them.
  std::vector<ExactMoment> exact() const;
  const RunRecord& record() const;
  /// Table and verdict as people read them.
  std::string text(const TextStyle& style = {}) const;
  void save(const std::filesystem::path& draws, Overwrite overwrite = Overwrite::no) const;
  void report(const std::filesystem::path& page, Overwrite overwrite = Overwrite::no) const;

  struct State;
  explicit Run(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

Run sample(const Set& set, const Target& target, const SamplePlan& plan = {});
/// On the target's own set: a simplex for dirichlet, all of space for others.
Run sample(const Target& target, const SamplePlan& plan = {});
/// One rank's part: draws, files and what was found are those of rank 0.
Run sample(const std::optional<Set>& set, const Target& target, const SamplePlan& plan,
           Comm& ranks);

/// Does the gradient of the target fit its values at points of the set
/// (targets/check_gradient.hpp)?
GradientCheck check_gradient(const Set& set, const Target& target, std::uint64_t seed = 1);
/// The same for W in the dual, which tests the map of the set as well.
GradientCheck check_dual_gradient(const Set& set, const Target& target, std::uint64_t seed = 1);

/// Draws of any sampler in files (one run; several files are its chains), judged, with what is
/// known of how they were made. Borrows nothing.
struct RunFiles {
  RunReport report;
  std::vector<std::string> notes;  ///< for people: what was left out and why
};
RunFiles read_run(const std::vector<std::filesystem::path>& files, Threads& threads);
/// What a file of draws tells of its run beside the numbers.
RunFacts facts_of(const DrawsFile& file);

}  // namespace tain
