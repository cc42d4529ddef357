// What the pages of studies are put together from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/page.hpp"
#include "tain/reproduce/study.hpp"

namespace tain {

struct StudyFigure {
  std::string name;  ///< of its file, without ".svg"
  Exhibit exhibit;
  CaptionedFigure shown;
};

struct StudySection {
  Exhibit exhibit;
  std::string_view heading, introduction;
};

/// "Of 5 claims of the paper, 3 hold, 1 holds in part and 1 does not hold."
std::string count_of_claims(std::span<const StudyFinding> findings);
/// Table of the claims, list of the questions.
void add_glance(std::span<const StudyFinding> findings, Page& page);
/// The figures and findings of an exhibit.
void add_section(const StudySection& section, std::span<const StudyFinding> findings,
                 std::span<const StudyFigure> figures, Page& page);
/// File names and figures wide enough for slides.
std::vector<std::pair<std::string, std::string>> figure_files(std::span<const StudyFigure> figures);
/// Step sizes of a grid, separated by commas.
std::string steps_text(std::span<const double> steps);

}  // namespace tain
