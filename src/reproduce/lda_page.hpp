// A study of topic models as people look at it: findings in sentences, and a page with figures and
// tables.
//
// Laws: functions of their arguments alone, all numbers from the study; complete for studies that
//   were stopped half-way (what is missing is left out or says so).
// Comparisons: of perplexity_average, run by run over the seeds that two methods share; lower means
//   by more than three standard errors of the mean difference. Every method is represented by the
//   step size that was best on the grid, with another seed than those compared.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/page.hpp"
#include "reproduce/lda.hpp"

namespace tain {

std::vector<StudyFinding> find_in(const LdaStudy& study);

/// A page of its own, or a chapter of one.
Chapter lda_chapter(const LdaStudy& study, const std::vector<StudyFinding>& findings);

/// File name and SVG of every figure, in the order of the page, wide enough for slides.
std::vector<std::pair<std::string, std::string>> lda_figures(const LdaStudy& study);

}  // namespace tain
