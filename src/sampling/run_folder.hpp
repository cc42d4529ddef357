// Where the draws of a run are kept while it runs, and how it is continued after a stop.
//
// Files: <output>.run/ holds draws.table (mapped), checkpoint (Sampler::save), request.json (every
//   option that shapes the draws), and replaces once the run may replace <output>: it was asked to,
//   or has written one. An output that is a link stands for the file that it leads to. `.<output>.run.tain-old/` is a
//   stopped run that another is about to replace.
// Laws: a checkpoint is written only after the draws it counts are on disk, so whatever kills the
//   process, --resume continues to the bits of an uninterrupted run. A stopped run is there until
//   the one that replaces it has begun. Two processes never have one folder. Without an output the
//   draws live in memory and cannot be resumed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/continuation.hpp"
#include "core/folder_lock.hpp"
#include "draws/table.hpp"
#include "run/sampler.hpp"

namespace tain {

/// What was asked for must be what is asked now: throws Error (config) naming the first key in
/// which they differ.
void require_same_request(const nlohmann::ordered_json& stored, const nlohmann::ordered_json& now,
                          const std::string& where);

/// Where the run that writes `output` keeps its draws and checkpoints.
std::filesystem::path run_folder(const std::filesystem::path& output);
/// What tells how `output` was made.
std::filesystem::path manifest_file(const std::filesystem::path& output);
/// Whether there is anything in it to go on from: not if the run was killed before it had begun, or
/// while a finished one was being cleared away.
bool holds_stopped_run(const std::filesystem::path& folder);
/// Clears it away, whatever kills the process meanwhile. The caller has its lock.
void remove_run_folder(const std::filesystem::path& folder);
/// Its lock, and the folder if it is not there; throws Error (cannot_create) where another process
/// has it.
FolderLock lock_run_folder(const std::filesystem::path& folder);
/// Ends what a process began that was killed while it replaced a stopped run: that run is back, or
/// gone. To be called before anything else looks at the folder.
void settle_run_folder(const std::filesystem::path& output);

/// Every option that shapes the draws of the stopped run in a folder. Throws Error (data).
nlohmann::ordered_json stopped_request(const std::filesystem::path& folder);

/// Every file `output` stands for: itself, or one per chain where the name contains "%d".
std::vector<std::filesystem::path> output_files(const std::filesystem::path& output,
                                                std::uint32_t chains);

/// What can be in the way of a run before it begins: throws Error (cannot_create).
void require_run_place(const std::filesystem::path& output, std::uint32_t chains,
                       Continuation continuation);

class RunFolder {
 public:
  static RunFolder in_memory(const DrawShape& shape);
  /// Checks that the output can be written and opens or creates the run folder. Faults:
  /// cannot_create when an output or a stopped run is in the way, no_input when there is nothing to
  /// resume, config when the stopped run is another one.
  static RunFolder in_folder(const std::filesystem::path& output, const DrawShape& shape,
                             const nlohmann::ordered_json& request, Continuation continuation);
  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;

  const std::shared_ptr<DrawTable>& table() const { return table_; }
  bool persistent() const { return !folder_.empty(); }
  /// Where to restore the sampler from, if a checkpoint was written.
  std::optional<std::filesystem::path> checkpoint_file() const;
  /// Draws to disk, then the sampler's state. Nothing in memory-only folders.
  void checkpoint(const Sampler& sampler);
  /// After the sampler's state was restored, with the checksum that it gave. Throws Error (data) if
  /// these are not the draws that it counts.
  void require_draws(const Sampler& sampler, std::uint64_t checksum);
  /// Remembers that the output is of this run, which may replace it.
  void mark_written();
  /// The run is complete and written: removes the folder.
  void finish();
  /// The run was stopped: whoever asks may take up the folder now. The draws stay readable.
  void leave() { lock_.release(); }

 private:
  RunFolder(DrawTable table, std::filesystem::path folder, FolderLock lock);
  /// Of a run that has nothing yet.
  static RunFolder begun(const std::filesystem::path& folder, const DrawShape& shape,
                         const nlohmann::ordered_json& request, Continuation continuation);
  std::shared_ptr<DrawTable> table_;
  std::filesystem::path folder_;
  FolderLock lock_;
  std::uint64_t summed_ = 0, checksum_ = 0;  // draws of every chain on disk, and their checksum
  bool keep_ = false;  // false: nothing worth resuming yet, so a failure leaves no folder behind
};

}  // namespace tain
