// The figures of a study of topic models.
#pragma once

#include <vector>

#include "reproduce/lda.hpp"
#include "reproduce/page_parts.hpp"

namespace tain {

/// Every figure, in the order of the page.
std::vector<StudyFigure> study_figures(const LdaStudy& study);

}  // namespace tain
