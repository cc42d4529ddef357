// The figures of a synthetic study.
#pragma once

#include <string>
#include <vector>

#include "reproduce/findings.hpp"
#include "reproduce/page_parts.hpp"

namespace tain {

/// Every figure, in the order of the page.
std::vector<StudyFigure> study_figures(const SyntheticStudy& study, const StudyFindings& findings);

/// What a curve is called in figures and tables, e.g. "MLD, step 0.01".
std::string curve_name(const CurveKey& key);

}  // namespace tain
