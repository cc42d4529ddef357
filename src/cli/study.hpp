// What the commands that repeat a study of the paper share: its folder, its findings, its progress.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/progress.hpp"
#include "cli/values.hpp"
#include "reproduce/finding.hpp"

namespace tain::cli {

/// The folder of a study and what it holds.
struct StudyFolder {
  std::filesystem::path folder;
  std::filesystem::path data() const { return folder / "study.json"; }
  std::filesystem::path page() const { return folder / "index.html"; }
};

/// Makes the folder of a new study. Throws Error (cannot_create) if it holds one and --force is not
/// given.
void require_study_folder(const StudyFolder& place, const Options& options);

/// A study as files: data for other programs, figures, the page.
struct StudyOutputs {
  std::string csv, page;
  std::vector<std::pair<std::string, std::string>> figures;
  nlohmann::ordered_json findings;
};
void write_outputs(const StudyFolder& place, const StudyOutputs& outputs);

nlohmann::ordered_json findings_json(std::span<const StudyFinding> findings);
std::string findings_text(std::span<const StudyFinding> findings);

/// Status line with the time left, estimated from the share of the work that is done.
StudyObserver observer_for(StatusLine& line);

}  // namespace tain::cli
