// A synthetic study as people look at it: a page with verdicts, figures and tables.
//
// Laws: a function of its arguments alone, all numbers from the study; complete for studies that
//   were stopped half-way (what is missing is left out or says so).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/page.hpp"
#include "reproduce/findings.hpp"
#include "reproduce/synthetic.hpp"

namespace tain {

/// A page of its own, or a chapter of one.
Chapter synthetic_chapter(const SyntheticStudy& study, const StudyFindings& findings);

/// File name and SVG of every figure, in the order of the page, wide enough for slides.
std::vector<std::pair<std::string, std::string>> synthetic_figures(const SyntheticStudy& study,
                                                                   const StudyFindings& findings);

}  // namespace tain
