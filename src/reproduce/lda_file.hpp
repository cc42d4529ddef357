// A study of topic models to JSON and back: what a stopped one goes on from, and what other
// programs read. Infinite perplexities are null.
#pragma once

#include <filesystem>
#include <string>

#include "reproduce/lda.hpp"

namespace tain {

void write_study(const std::filesystem::path& path, const LdaStudy& study);
/// Finished or not. Throws Error (data) if the file is damaged.
LdaStudy read_lda_study(const std::filesystem::path& path);
/// The same, and throws Error (data) if it is of another plan or corpus than `expected`.
LdaStudy read_study(const std::filesystem::path& path, const LdaStudy& expected);

/// All curves, one row per curve and look.
std::string curves_csv(const LdaStudy& study);

}  // namespace tain
