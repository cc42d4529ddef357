#include "sampling/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/descriptor.hpp"
#include "core/draft.hpp"
#include "core/failpoint.hpp"
#include "core/file.hpp"
#include "sampling/asked_json.hpp"
#include "sampling/json_text.hpp"
#include "sampling/manifest_values.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view request_name = "request.json";
constexpr const char* checksum_key = "checksum";
constexpr std::string_view table_name = "draws.table";
constexpr std::string_view checkpoint_name = "checkpoint";
constexpr std::string_view replaces_name = "replaces";
constexpr std::array run_files{request_name, table_name, checkpoint_name, replaces_name};

/// With a checksum of its own.
std::string sealed(Json request) {
  request.erase(checksum_key);
  request[checksum_key] = fmt::format("{:016x}", fingerprint(request.dump()));
  return request.dump(2) + "\n";
}

void require_outputs_creatable(const fs::path& output, std::uint32_t chains, Overwrite overwrite) {
  for (const fs::path& file : output_files(output, chains)) {
    require_creatable(Field{"output"}, file, overwrite);
  }
  require_creatable(Field{"output"}, manifest_file(output), overwrite);
}

/// A set, as people call it, or the value as it is written.
std::string shown(const std::string& key, const Json& options, const Json& value) {
  if (key == "map" || key == "dim") {
    try {
      const std::optional<Set> set = set_as_asked(options);
      return set ? set->text() : "that of the target";
    } catch (const Error&) {  // no file describes it, or one that did is gone
    }
  }
  return value.is_null() ? key == "target" ? "code" : "not given" : value.dump();
}

const Phrase same_options("resume with the same options, or give ", Field{"overwrite", "true"},
                          " to start anew");

[[noreturn]] void refuse_other(const std::string& where, const std::string& key, const Json& before,
                               const Json& after) {
  const Json old = before.value(key, Json()), now = after.value(key, Json());
  std::string was = shown(key, before, old), is = shown(key, after, now);
  if (was == is) {  // sets that differ in their numbers
    was = old.dump();
    is = now.dump();
  }
  fail(Fault::config, where,
       fmt::format("{} was {}, now it is {}", key == "map" || key == "dim" ? "the set" : key, was,
                   is),
       same_options);
}

bool is_of_run(const fs::path& name) {
  return std::ranges::any_of(run_files, [&](std::string_view file) {
    return name == file || name == fmt::format(".{}{}", file, draft_ending);
  });
}

/// Files that a user keeps in a folder of this name are not ours to remove.
void require_run_folder(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!is_of_run(entry.path().filename())) {
      fail(Fault::cannot_create, folder.string(),
           fmt::format("holds {}, which is no file of a run", entry.path().filename().string()),
           "move it away, or choose another output");
    }
  }
}

/// Where a stopped run is while it is replaced.
fs::path replaced_folder(const fs::path& folder) { return hidden_beside(folder, ".tain-old"); }

/// Names that cannot be are of nothing.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

void move_folder(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    fail_errno(Fault::io, from, errno);
  }
}

}  // namespace

fs::path run_folder(const fs::path& output) { return link_target(output).string() + ".run"; }

fs::path manifest_file(const fs::path& output) {
  return link_target(output).string() + ".manifest.json";
}

Json stopped_request(const fs::path& folder) {
  const fs::path file = folder / request_name;
  const std::string text = read_file(file, most_record_bytes);
  Json request = parse_json(text);
  if (!request.is_object() || sealed(request) != text) {
    fail(Fault::data, file.string(), "is damaged",
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
  request.erase(checksum_key);
  return request;
}

bool holds_stopped_run(const fs::path& folder) { return is_there(folder / request_name); }

void remove_run_folder(const fs::path& folder) {
  // The request first: without it nobody takes what is still there for a run.
  std::error_code error;
  fs::remove(folder / request_name, error);
  failpoint("run/clearing");
  if (!error) {
    std::vector<fs::path> files;
    std::ranges::copy_if(fs::directory_iterator(folder), std::back_inserter(files),
                         [](const fs::path& file) { return is_of_run(file.filename()); });
    for (const fs::path& file : files) {
      fs::remove_all(file, error);
    }
    ::rmdir(folder.c_str());  // fails, as it should, where somebody keeps files
  }
  if (error) {
    fail(Fault::io, folder.string(), error.message(), "remove it by hand");
  }
  failpoint("run/cleared");
}

FolderLock lock_run_folder(const fs::path& folder) {
  std::optional<FolderLock> lock = FolderLock::take(folder);
  if (!lock) {
    fail(Fault::cannot_create, folder.string(), "another process is running this",
         "wait for it or choose another output");
  }
  return std::move(*lock);
}

void settle_run_folder(const fs::path& output) {
  const fs::path folder = run_folder(output), replaced = replaced_folder(folder);
  if (!is_there(replaced)) {
    return;
  }
  const FolderLock old_lock = lock_run_folder(replaced), lock = lock_run_folder(folder);
  if (holds_stopped_run(folder)) {
    remove_run_folder(replaced);
  } else {
    remove_run_folder(folder);
    move_folder(replaced, folder);
  }
}

void require_same_request(const Json& stored, const Json& now, const std::string& where) {
  for (const std::string_view section : {"options", "inputs"}) {
    const Json none = Json::object();
    Json before = stored.is_object() ? stored.value(std::string(section), none) : none;
    if (!before.is_object()) {
      before = none;
    }
    const Json& after = now.at(std::string(section));
    for (const auto& [key, value] : after.items()) {
      if (const Json old = before.value(key, Json()); old != value && section == "options") {
        refuse_other(where, key, before, after);
      } else if (old != value) {
        fail(Fault::config, where, fmt::format("{} has changed since that run", key), same_options);
      }
    }
    for (const auto& [key, value] : before.items()) {
      if (!after.contains(key)) {
        refuse_other(where, key, before, after);
      }
    }
  }
}

std::vector<fs::path> output_files(const fs::path& output, std::uint32_t chains) {
  const std::string name = output.filename().string();
  const std::size_t at = name.find("%d");
  if (at == std::string::npos) {
    return {output};
  }
  std::vector<fs::path> files;
  for (std::uint32_t chain = 1; chain <= chains; ++chain) {
    std::string own = name;
    own.replace(at, 2, fmt::format("{}", chain));
    files.push_back(output.parent_path() / own);
  }
  return files;
}

void require_run_place(const fs::path& output, std::uint32_t chains, Continuation continuation) {
  const fs::path folder = run_folder(output);
  if (is_there(folder)) {
    require_run_folder(folder);
  }
  if (continuation == Continuation::fresh && holds_stopped_run(folder)) {
    fail(Fault::cannot_create, output_place(Field{"output"}, output),
         fmt::format("{} holds a stopped run", folder.string()),
         Phrase("give ", Field{"resume", "true"}, " to continue it or ", Field{"overwrite", "true"},
                " to start anew"));
  }
  require_outputs_creatable(output, chains,
                            continuation == Continuation::replace ? Overwrite::yes : Overwrite::no);
}

RunFolder RunFolder::in_memory(const DrawShape& shape) {
  return {DrawTable::in_memory(shape), {}, FolderLock()};
}

RunFolder RunFolder::in_folder(const fs::path& output, const DrawShape& shape, const Json& request,
                               Continuation continuation) {
  const fs::path folder = run_folder(output);
  const bool exists = is_there(folder);
  if (continuation == Continuation::resume && !exists) {
    fail(Fault::no_input, output_place(Field{"output"}, output),
         "there is no stopped run to resume", Phrase("leave out ", Field{"resume"}));
  }
  if (continuation == Continuation::resume && holds_stopped_run(folder)) {
    FolderLock lock = lock_run_folder(folder);
    require_same_request(stopped_request(folder), request, folder.string());
    require_outputs_creatable(output, shape.chains,
                              is_there(folder / replaces_name) ? Overwrite::yes : Overwrite::no);
    RunFolder stopped(DrawTable::reopen(folder / table_name, shape), folder, std::move(lock));
    stopped.keep_ = true;
    return stopped;
  }
  require_run_place(output, shape.chains, continuation);
  if (!exists) {
    return begun(folder, shape, request, continuation);
  }
  const fs::path replaced = replaced_folder(folder);
  const FolderLock lock = lock_run_folder(folder);  // refuses to take it from a running process
  move_folder(folder, replaced);
  failpoint("run/replacing");
  try {
    RunFolder fresh = begun(folder, shape, request, continuation);
    remove_run_folder(replaced);
    return fresh;
  } catch (...) {
    move_folder(replaced, folder);
    throw;
  }
}

RunFolder RunFolder::begun(const fs::path& folder, const DrawShape& shape, const Json& request,
                           Continuation continuation) {
  FolderLock lock = lock_run_folder(folder);
  failpoint("run/folder");
  try {
    DrawTable table = DrawTable::create(folder / table_name, shape);
    failpoint("run/table");
    if (continuation == Continuation::replace) {
      write_atomically(folder / replaces_name, std::string_view("\n"));
    }
    write_atomically(folder / request_name, sealed(request));
    return RunFolder(std::move(table), folder, std::move(lock));
  } catch (...) {
    remove_run_folder(folder);
    throw;
  }
}

RunFolder::RunFolder(DrawTable table, fs::path folder, FolderLock lock)
    : table_(std::make_shared<DrawTable>(std::move(table))),
      folder_(std::move(folder)),
      lock_(std::move(lock)) {}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : table_(std::move(other.table_)),
      folder_(std::exchange(other.folder_, {})),
      lock_(std::move(other.lock_)),
      summed_(other.summed_),
      checksum_(other.checksum_),
      keep_(other.keep_) {}

RunFolder::~RunFolder() {
  if (!folder_.empty() && !keep_) {
    try {
      remove_run_folder(folder_);
    } catch (const Error&) {
      // The next run of this output tells.
    }
  }
}

std::optional<fs::path> RunFolder::checkpoint_file() const {
  const fs::path file = folder_ / checkpoint_name;
  return persistent() && is_there(file) ? std::optional(file) : std::nullopt;
}

void RunFolder::checkpoint(const Sampler& sampler) {
  if (persistent()) {
    table_->sync();
    failpoint("run/synced");
    checksum_ += table_->checksum(std::exchange(summed_, sampler.draws()), sampler.draws());
    sampler.save(folder_ / checkpoint_name, checksum_);
    keep_ = true;
  }
}

void RunFolder::require_draws(const Sampler& sampler, std::uint64_t checksum) {
  summed_ = sampler.draws();
  checksum_ = table_->checksum(0, summed_);
  if (checksum_ != checksum) {
    fail(Fault::data, (folder_ / table_name).string(),
         fmt::format("its {} draws of every chain are damaged (wrong checksum)", summed_),
         Phrase("give ", Field{"overwrite", "true"}, " to start anew"));
  }
}

void RunFolder::mark_written() {
  write_atomically(folder_ / replaces_name, std::string_view("\n"));
}

void RunFolder::finish() {
  if (persistent()) {
    table_->require_whole();  // or what was written of it is wrong
    remove_run_folder(folder_);
    folder_.clear();
  }
}

}  // namespace tain
