// A study to JSON and back: what a stopped one goes on from, and what other programs read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "reproduce/synthetic.hpp"

namespace tain {

/// What the file says of itself.
inline constexpr std::string_view synthetic_kind = "synthetic", lda_kind = "lda";
/// One of these. Throws Error (data) for what is no study.
std::string study_kind(const std::filesystem::path& path);

void write_study(const std::filesystem::path& path, const SyntheticStudy& study);
/// Finished or not. Throws Error (data) if the file is damaged.
SyntheticStudy read_synthetic_study(const std::filesystem::path& path);
/// The same, and throws Error (data) if it is of another plan than `plan`.
SyntheticStudy read_study(const std::filesystem::path& path, const SyntheticStudySettings& plan);

/// All curves, one row per curve, iteration, coordinate and binning.
std::string curves_csv(const SyntheticStudy& study);

}  // namespace tain
