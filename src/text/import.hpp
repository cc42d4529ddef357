// How an import is done: tain/text/import.hpp says what it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/parallel.hpp"
#include "tain/core/overwrite.hpp"
#include "tain/text/import.hpp"
#include "text/bag.hpp"
#include "text/documents.hpp"
#include "text/formats.hpp"
#include "text/tokenizer.hpp"
#include "text/word_counter.hpp"

namespace tain {

struct ImportSettings {
  std::filesystem::path source;       ///< a file, a folder, or "-" for standard input
  std::optional<Format> format = {};  ///< none: detected
  TokenizerOptions tokenizer = {};    ///< text only
  std::optional<std::filesystem::path> vocabulary = {};  ///< one word per line; none: from the data
  Selection selection = {};  ///< where the vocabulary comes from the data
  FirstId svmlight_first_id = FirstId::one;
  std::size_t memory_bytes = std::size_t{1} << 30;
  std::optional<std::uint64_t> scratch_bytes = {};  ///< none: the most of what is free
};

struct ImportObserver {
  /// Called once, when the format is known and nothing else has been done; may throw Error.
  std::function<void(const ImportReport&)> format_known = [](const ImportReport&) {};
  WorkWatch progress = [](const WorkProgress&) { return Next::go_on; };
};

inline Content content_of(Format format) { return format_row(format).content; }

/// None if the observer stopped it; then nothing is left. Throws Error for whatever is wrong with
/// the source, the vocabulary or the destination.
std::optional<ImportReport> import_documents(const ImportSettings& settings,
                                             const std::filesystem::path& folder,
                                             Overwrite overwrite, Threads& threads,
                                             const ImportObserver& observer);

/// The report as the corpus's manifest.json.
std::string import_manifest(const ImportSettings& settings, const ImportReport& report);

}  // namespace tain
