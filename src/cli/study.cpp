#include "cli/study.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "cli/terminal.hpp"
#include "core/file.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

}  // namespace

void require_study_folder(const StudyFolder& place, const Options& options) {
  if (options.on("resume")) {
    return;  // reading what is not there says so
  }
  const Field output{"output"};
  const fs::path folder = folder_path(place.folder);
  std::error_code error;
  if (fs::exists(place.data(), error) && !options.on("force")) {
    fail(Fault::cannot_create, output_place(output, folder), "holds a study already",
         "give --resume to go on with it, --force to replace it, or another -o");
  }
  if (!fs::exists(folder, error)) {
    require_parent(output, folder);
    fs::create_directory(folder, error);
  }
  if (error || !fs::is_directory(folder, error)) {
    fail(Fault::cannot_create, output_place(output, folder),
         error ? error.message() : std::string("is no folder"), "choose another");
  }
}

void write_outputs(const StudyFolder& place, const StudyOutputs& outputs) {
  write_atomically(place.folder / "curves.csv", outputs.csv);
  for (const auto& [name, svg] : outputs.figures) {
    write_atomically(place.folder / name, svg);
  }
  write_atomically(place.folder / "findings.json", outputs.findings.dump(2) + "\n");
  write_atomically(place.page(), outputs.page);
}

Json findings_json(std::span<const StudyFinding> findings) {
  Json list = Json::array();
  for (const StudyFinding& finding : findings) {
    list.push_back({{"claim", finding.claim},
                    {"source", finding.source},
                    {"holds", finding.holds ? Json(holds_text(*finding.holds)) : Json(nullptr)},
                    {"sentences", finding.sentences}});
  }
  return list;
}

std::string findings_text(std::span<const StudyFinding> findings) {
  std::string text;
  for (const StudyFinding& finding : findings) {
    text += fmt::format("{} [{}]{}\n", finding.claim, finding.source,
                        finding.holds ? fmt::format(": {}", holds_text(*finding.holds)) : "");
    for (const std::string& sentence : finding.sentences) {
      text += fmt::format("  {}\n", sentence);
    }
    text += "\n";
  }
  return text;
}

StudyObserver observer_for(StatusLine& line) {
  return [&line, start = Clock::now(), first = std::optional<double>()](const std::string& what,
                                                                        double share) mutable {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    first = first.value_or(share);
    if (line.due()) {
      const double done = share - *first;
      const double left = done > 0 ? seconds * (1 - share) / done : 0;
      line.show(fmt::format("reproduce  {}  {:.0f} %  eta {}", what, 100 * share, clock_text(left)),
                Json{{"what", what}, {"share", share}, {"eta_seconds", left}}.dump());
    }
    return stop_requested() ? Next::stop : Next::go_on;
  };
}

}  // namespace tain::cli
