// The folder of a study: what it holds, and how a study begins, stops and ends in it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/folder_lock.hpp"
#include "tain/core/error.hpp"
#include "tain/reproduce/study.hpp"

namespace tain {

struct StudyFolder {
  std::filesystem::path folder;
  std::optional<FolderLock> lock = {};  ///< of the one who writes
  std::filesystem::path data() const { return folder / "study.json"; }
  std::filesystem::path page() const { return folder / "index.html"; }
  /// Makes the folder of a new study, and locks it; once. Throws Error (cannot_create) if it holds
  /// one that is not to be replaced, or another process has it.
  void begin(bool resume, bool overwrite);
};

/// A study as files: data for other programs, figures, the page.
struct StudyOutputs {
  std::string csv, page;
  std::vector<std::pair<std::string, std::string>> figures;
};
/// Writes them. `further`: what findings.json has beside the findings.
Study finished_study(const StudyFolder& place, double seconds, std::vector<StudyFinding> findings,
                     const StudyOutputs& outputs, const nlohmann::ordered_json& further = {});

/// Pins the instruction set that a plan names.
void pin_for_study(const std::optional<std::string>& isa);
void describe_isa(Fields& fields, std::optional<std::string>& isa);

/// The function, or one that goes on.
StudyWatch watch_or_go_on(const StudyWatch& watch);

}  // namespace tain
