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

void StudyFolder::begin(bool resume, bool overwrite) const {
  if (resume && overwrite) {
    fail(Fault::config, Field{"resume"}, Phrase("contradicts ", Field{"overwrite"}),
         "give one of them");
  }
  if (resume) {
    return;  // reading what is not there says so
  }
  const Field output{"output"};
  const std::filesystem::path place = folder_path(folder);
  std::error_code error;
  if (std::filesystem::exists(data(), error) && !overwrite) {
    fail(Fault::cannot_create, output_place(output, place), "holds a study already",
         Phrase("give ", Field{"resume", "true"}, " to go on with it, ", Field{"overwrite", "true"},
                " to replace it, or another folder"));
  }
  if (!std::filesystem::exists(place, error)) {
    require_parent(output, place);
    std::filesystem::create_directory(place, error);
  }
  if (error || !std::filesystem::is_directory(place, error)) {
    fail(Fault::cannot_create, output_place(output, place),
         error ? error.message() : std::string("is no folder"), "choose another");
  }
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
