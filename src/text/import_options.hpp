// An import as people ask for it: every option of `tain corpus import` by its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/fields.hpp"
#include "text/import.hpp"

namespace tain {

/// What is left out is as ImportPlan has it.
struct ImportOptions {
  std::optional<Format> format = {};
  std::optional<FirstId> first_id = {};
  std::optional<TokenRule> tokens = {};
  std::optional<bool> keep_case = {};
  std::optional<std::uint64_t> min_length = {}, max_length = {};
  std::optional<std::string> stop_words = {}, stemmer = {}, vocab = {};
  std::optional<std::uint64_t> min_df = {};
  std::optional<double> max_df = {};
  std::optional<std::uint64_t> max_vocab = {}, memory = {};

  void describe(Fields& fields);
  /// Throws Error (config) for a value that is wrong by itself.
  ImportPlan plan(std::filesystem::path source) const;
  /// Options that would do nothing to a source of this format are refused rather than ignored:
  /// throws Error (config).
  void refuse_idle(const ImportReport& report) const;
};

}  // namespace tain
