#include "reproduce/page_parts.hpp"

#include <fmt/format.h>

#include <array>

#include "report/text.hpp"

namespace tain {
namespace {

Badge badge_of(Holds holds) {
  const Mark mark = holds == Holds::yes      ? Mark::good
                    : holds == Holds::partly ? Mark::mixed
                                             : Mark::bad;
  return {mark, std::string(holds_text(holds))};
}

}  // namespace

std::string count_of_claims(std::span<const StudyFinding> findings) {
  std::array<std::size_t, 3> count{};
  for (const StudyFinding& finding : findings) {
    if (finding.holds) {
      ++count[static_cast<std::size_t>(*finding.holds)];
    }
  }
  constexpr std::array<std::array<std::string_view, 2>, 3> verbs = {
      {{"holds", "hold"}, {"holds in part", "hold in part"}, {"does not hold", "do not hold"}}};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] > 0) {
      parts.push_back(fmt::format("{} {}", count[k], verbs[k][count[k] == 1 ? 0 : 1]));
    }
  }
  if (parts.empty()) {
    return "No claim of the paper could be judged.";
  }
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format("Of {} claims of the paper, {}{}{}.", count[0] + count[1] + count[2],
                     fmt::join(parts, ", "), parts.empty() ? "" : " and ", last);
}

void add_glance(std::span<const StudyFinding> findings, Page& page) {
  page.section("At a glance");
  Table table{"The paper's claims", {{"Claim"}, {"Verdict"}, {"Source"}}, {}};
  std::vector<std::string> questions;
  for (const StudyFinding& finding : findings) {
    if (finding.holds) {
      table.rows.push_back({finding.claim, badge_of(*finding.holds), finding.source});
    } else {
      questions.push_back(finding.claim);
    }
  }
  page.table(table);
  if (!questions.empty()) {
    page.paragraph("Questions that the paper leaves open and this page answers:");
    page.list(questions);
  }
}

void add_section(const StudySection& section, std::span<const StudyFinding> findings,
                 std::span<const StudyFigure> figures, Page& page) {
  page.section(std::string(section.heading),
               section.exhibit == Exhibit::paper ? Page::Depth::all : Page::Depth::some);
  page.paragraph(std::string(section.introduction));
  std::vector<CaptionedFigure> shown;
  for (const StudyFigure& figure : figures) {
    if (figure.exhibit == section.exhibit) {
      shown.push_back(figure.shown);
    }
  }
  page.figures(shown);
  std::vector<Passage> passages;
  for (const StudyFinding& finding : findings) {
    if (finding.exhibit == section.exhibit) {
      passages.push_back({finding.claim, finding.source,
                          finding.holds ? std::optional(badge_of(*finding.holds)) : std::nullopt,
                          finding.sentences});
    }
  }
  page.passages(passages);
}

std::vector<std::pair<std::string, std::string>> figure_files(
    std::span<const StudyFigure> figures) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const StudyFigure& figure : figures) {
    files.emplace_back(figure.name + ".svg", svg(figure.shown.figure));
  }
  return files;
}

std::string steps_text(std::span<const double> steps) {
  std::string text;
  for (const double step : steps) {
    text += (text.empty() ? "" : ", ") + compact(step);
  }
  return text.empty() ? "none" : text;
}

}  // namespace tain
