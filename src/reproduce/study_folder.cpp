#include "reproduce/study_folder.hpp"

#include <fmt/format.h>

#include <array>

#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/simd.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

Json findings_json(const std::vector<StudyFinding>& findings) {
  Json list = Json::array();
  for (const StudyFinding& finding : findings) {
    list.push_back({{"claim", finding.claim},
                    {"source", finding.source},
                    {"holds", finding.holds ? Json(holds_text(*finding.holds)) : Json(nullptr)},
                    {"sentences", finding.sentences}});
  }
  return list;
}

}  // namespace

std::string_view holds_text(Holds holds) {
  switch (holds) {
    case Holds::yes:
      return "holds";
    case Holds::partly:
      return "holds in part";
    case Holds::no:
      break;
  }
  return "does not hold";
}

void StudyFolder::begin(bool resume, bool overwrite) {
  if (resume && overwrite) {
    fail(Fault::config, Field{"resume"}, Phrase("contradicts ", Field{"overwrite"}),
         "give one of them");
  }
  const Field output{"output"};
  const std::filesystem::path place = folder_path(folder);
  const Phrase where = output_place(output, place);
  std::error_code ignored;
  const bool there = std::filesystem::exists(place, ignored);
  if (lock || (resume && !there)) {
    return;  // reading what is not there says so
  }
  if (!there) {
    require_parent(output, place);
  }
  if (there && !std::filesystem::is_directory(place, ignored)) {
    fail(Fault::cannot_create, where, "is no folder", "choose another");
  }
  std::optional<FolderLock> taken = FolderLock::take(link_target(place));
  if (!taken) {
    fail(Fault::cannot_create, where, "another process writes in it",
         "wait for it or choose another");
  }
  if (std::filesystem::exists(data(), ignored) && !resume && !overwrite) {
    fail(Fault::cannot_create, where, "holds a study already",
         Phrase("give ", Field{"resume", "true"}, " to go on with it, ", Field{"overwrite", "true"},
                " to replace it, or another folder"));
  }
  lock.emplace(std::move(*taken));
}

Study finished_study(const StudyFolder& place, double seconds, std::vector<StudyFinding> findings,
                     const StudyOutputs& outputs, const Json& further) {
  Json json{{"findings", findings_json(findings)}};
  if (further.is_object()) {
    json.update(further);
  }
  Study study{place.folder, place.page(), true, seconds, std::move(findings), json.dump(2) + "\n"};
  write_atomically(place.folder / "curves.csv", outputs.csv);
  for (const auto& [name, svg] : outputs.figures) {
    write_atomically(place.folder / name, svg);
  }
  write_atomically(place.folder / "findings.json", study.json);
  write_atomically(place.page(), outputs.page);
  return study;
}

std::string Study::text() const {
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

void pin_for_study(const std::optional<std::string>& isa) {
  if (isa && *isa != "auto") {
    pin_isa(parse_isa(*isa));
  }
}

void describe_isa(Fields& fields, std::optional<std::string>& isa) {
  constexpr std::array<std::string_view, 4> words{"auto", "baseline", "avx2", "avx512"};
  fields.word("isa", words, isa);
}

StudyWatch watch_or_go_on(const StudyWatch& watch) {
  return watch ? watch : [](const StudyProgress&) { return Next::go_on; };
}

}  // namespace tain
