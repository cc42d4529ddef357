// A study to JSON and back: what a stopped one goes on from, and what other programs read.
#pragma once

#include <filesystem>
#include <string>

#include "tain/reproduce/synthetic.hpp"

namespace tain {

void write_study(const std::filesystem::path& path, const SyntheticStudy& study);
/// Throws Error (data) if the file is damaged or of another plan than `plan`.
SyntheticStudy read_study(const std::filesystem::path& path, const SyntheticStudyPlan& plan);

/// All curves, one row per curve, iteration, coordinate and binning.
std::string curves_csv(const SyntheticStudy& study);

}  // namespace tain
