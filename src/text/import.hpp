// From any source to a corpus on disk.
//
// Definition: documents of text are cut into tokens (tokenizer.hpp) and numbered by a vocabulary,
//   which is given or made from the documents themselves in a first pass (word_counter.hpp); token
//   order is kept. Bags of words keep their counts; of numbered words the numbers too.
// Laws: the corpus does not depend on the number of threads, nor on the memory allowed. It appears
//   whole or not at all, and so do temporary files, which live beside it while it is made.
// Cost: one pass over the source if the vocabulary is given or words have numbers, else two;
//   standard input is copied to a temporary file where it is needed twice. Memory stays below
//   `memory_bytes` (32 MiB or more), but for a document larger than a sixteenth of it, a given
//   vocabulary, and the window that a compressed source asks for (bytes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/file.hpp"
#include "core/parallel.hpp"
#include "text/bag.hpp"
#include "text/documents.hpp"
#include "text/formats.hpp"
#include "text/progress.hpp"
#include "text/tokenizer.hpp"
#include "text/word_counter.hpp"

namespace tain {

struct ImportPlan {
  std::filesystem::path source;       ///< a file, a folder, or "-" for standard input
  std::optional<Format> format = {};  ///< none: detected
  TokenizerOptions tokenizer = {};    ///< text only
  std::optional<std::filesystem::path> vocabulary = {};  ///< one word per line; none: from the data
  Selection selection = {};  ///< where the vocabulary comes from the data
  FirstId svmlight_first_id = FirstId::one;
  std::size_t memory_bytes = std::size_t{1} << 30;
};

/// What was read, kept and dropped, and why.
struct ImportReport {
  std::string source;
  Format format = Format::text;
  bool folder = false;
  std::string detection;  ///< how the format was known; empty if it was given
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
  std::uint32_t words = 0;
  DocumentCounts read = {};
  TokenCounts text = {};
  std::uint64_t unknown_tokens = 0;  ///< of words outside the vocabulary
  std::uint64_t rare_words = 0, common_words = 0, words_beyond_limit = 0;
};

struct ImportProgress {
  std::string_view phase;  ///< "copying", "counting words", "writing"
  std::uint64_t documents = 0, consumed = 0;
  std::optional<std::uint64_t> size = {};  ///< bytes that `consumed` goes to
};

struct ImportObserver {
  /// Called once, when the format is known and nothing else has been done; may throw Error.
  std::function<void(const ImportReport&)> format_known = [](const ImportReport&) {};
  std::function<Next(const ImportProgress&)> progress = [](const ImportProgress&) {
    return Next::go_on;
  };
};

inline Content content_of(Format format) { return format_row(format).content; }

/// None if the observer stopped it; then nothing is left. Throws Error for whatever is wrong with
/// the source, the vocabulary or the destination.
std::optional<ImportReport> import_corpus(const ImportPlan& plan,
                                          const std::filesystem::path& folder, Overwrite overwrite,
                                          Threads& threads, const ImportObserver& observer);

/// The report as the corpus's manifest.json.
std::string import_manifest(const ImportPlan& plan, const ImportReport& report);

}  // namespace tain
