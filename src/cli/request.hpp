// A validated request: everything `tain sample` was asked for, checked and built.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "options.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "recording.hpp"
#include "tain/run/sampler.hpp"
#include "values.hpp"

namespace tain::cli {

struct SampleRequest {
  Problem problem;
  SamplePlan plan;
  std::vector<std::string> names;  ///< of the primal coordinates
  std::vector<std::string> notes;  ///< what was decided on the user's behalf

  std::size_t threads = 0;
  std::optional<std::uint64_t> memory{};  ///< bytes
  bool check_gradient = false;

  std::optional<std::filesystem::path> output{};
  std::optional<std::filesystem::path> report{};  ///< page of the run
  Continuation continuation = Continuation::fresh;
  double checkpoint_seconds = 30;
  std::uint64_t checkpoint_every = 0;  ///< draws; 0: by time alone

  bool exact = false, quiet = false, strict = false, json = false;
  std::size_t max_rows = 30;
  std::string progress = "auto";

  /// Every option as used; manifests keep it.
  nlohmann::ordered_json options{};
  /// Input files, and whatever else must be as it was to resume, with their hashes.
  std::map<std::string, std::string> inputs{};
};

/// Batches as --batch and --replacement ask for them.
Batching batching(const Options& options);

/// Pins the instruction set if asked to, reads all files the options name and builds the problem.
/// Throws Error for whatever is wrong; nothing has been written then.
SampleRequest make_request(const Command& command, const RawOptions& raw);
/// The same for a problem that was built elsewhere: options of problem and domain are not looked
/// at.
SampleRequest make_request(const Command& command, const RawOptions& raw, BuiltProblem built);

/// What a resumed run must share with the stopped one.
nlohmann::ordered_json resumable_request(const Command& command, const SampleRequest& request);
/// The same of the run that a manifest is about.
nlohmann::ordered_json resumable_request(const Command& command,
                                         const nlohmann::ordered_json& manifest);

}  // namespace tain::cli
