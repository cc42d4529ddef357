// One run of `tain sample`, whoever asked for it: chains, checkpoints, findings, files.
//
// Over ranks every one has its SamplingRun. Draws, files and findings are those of rank 0; the
// others know the summary.
// Asked to resume a run that is already finished, with the same request, it reads the draws back
// and finds what that run found; nothing is sampled, and the output is not touched.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exact.hpp"
#include "recording.hpp"
#include "request.hpp"
#include "results.hpp"
#include "tain/comm/comm.hpp"
#include "tain/report/run_page.hpp"
#include "tain/run/sampler.hpp"
#include "terminal.hpp"

namespace tain::cli {

/// The first draws of every chain of a table, without gaps: as they stand where the run is
/// complete, else copied. Borrows the table.
class CompletedDraws {
 public:
  CompletedDraws(const DrawTable& table, std::uint64_t draws) : table_(table), draws_(draws) {}

  std::uint64_t draws() const { return draws_; }
  std::span<const double> values() { return part(table_.primal(), table_.shape().primal_dim); }
  std::span<const double> dual() { return part(table_.dual(), table_.shape().dual_dim); }
  std::span<const double> log_density() { return part(table_.log_density(), 1); }
  std::span<const double> acceptance() { return part(table_.acceptance(), 1); }
  std::span<const double> diverging() { return part(table_.diverging(), 1); }
  /// Borrows from this, and the names.
  RunDraws all(const std::vector<std::string>& names);

 private:
  std::span<const double> part(std::span<const double> whole, std::size_t width);

  const DrawTable& table_;
  std::uint64_t draws_;
  std::deque<std::vector<double>> copies_;  // elements stay where they are
};

class SamplingRun {
 public:
  using Json = nlohmann::ordered_json;
  using Look = std::function<Next(const Progress&)>;

  /// Refuses what does not fit into memory, checks the gradient if asked to, places the chains or
  /// takes up those of a stopped run. `command_line` goes to manifest and page.
  SamplingRun(SampleRequest request, std::string command_line, const Talk& talk, Comm& ranks);
  SamplingRun(const SamplingRun&) = delete;
  SamplingRun& operator=(const SamplingRun&) = delete;

  /// Samples until the end or until `look`, asked at every report of progress, says stop; then
  /// judges the draws and writes the output and the page that the request names.
  void run(const Look& look, const Talk& talk);

  const SampleRequest& request() const { return request_; }
  const RunSummary& summary() const { return summary_; }
  const DrawTable& table() const { return recording_->table(); }
  bool finished() const { return summary_.finished; }
  /// Has files that a stopped run can be continued from.
  bool resumable() const { return resumable_; }
  /// Enough draws to say anything about them? Then there are findings.
  bool judged() const { return findings_.has_value(); }
  const Findings& findings() const { return *findings_; }
  const std::vector<ExactRow>& exact() const { return exact_; }
  const DrawsInfo& info() const { return info_; }
  /// What `--json` prints.
  Json account() const;
  /// The page about the run.
  std::string page();

 private:
  void checkpoint();
  /// In place of sampling.
  void recall(const Talk& talk);
  void finish(const Talk& talk);
  void judge_draws();
  void write_output(const Talk& talk);
  void write_report(const Talk& talk);
  Json manifest() const;

  SampleRequest request_;
  std::string command_line_;
  Comm& comm_;
  Threads threads_;
  Sampler sampler_;
  std::optional<Recording> recording_;  // of rank 0
  Json earlier_;                        // manifest of the finished run; null: there is none
  bool recalled_ = false;
  bool resumable_ = false;
  RunSummary summary_;
  std::string started_, ended_;
  std::optional<Findings> findings_;
  std::vector<ExactRow> exact_;
  DrawsInfo info_;
};

}  // namespace tain::cli
