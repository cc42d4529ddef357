// One page about draws, topic models and studies.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/progress.hpp"

namespace tain {

struct ReportPlan {
  std::optional<std::string> title = {}, lead = {};  ///< by content
  /// Remarks for the top of the page, one per line, under lines "# HEADING"; none: no remarks.
  std::filesystem::path notes = {};
  bool overwrite = false;
  std::size_t threads = 0;  ///< 0: all cores
  WorkWatch progress = {};
  std::function<void(std::string_view)> note = {};  ///< what the page will lack
};

/// `parts`: files of draws, all the chains of one run; folders of models and of studies. Several
/// become chapters, in their order. Gives the result of each in one line. Throws Error (usage) for
/// no parts, (interrupted) if `progress` stopped it.
std::vector<std::string> report(const std::vector<std::filesystem::path>& parts,
                                const std::filesystem::path& page, const ReportPlan& plan = {});

}  // namespace tain
