// From any source to a corpus on disk.
//
//     tain::Corpus corpus = tain::import_corpus("articles.tsv", "articles", {.min_df = 5});
//
// Definition: a source is a file or a folder of text, a Wikipedia dump or bags of words, compressed
//   or not. Documents of text are cut into tokens and numbered by a vocabulary, which is given or
//   made from the documents themselves in a first pass; token order is kept. Bags of words keep
//   their counts; of numbered words the numbers too.
// Laws: the corpus does not depend on the number of threads, nor on the memory allowed. It appears
//   whole or not at all; one that is replaced is there until then. Temporary files live in its
//   folder while it is made.
// Cost: one pass over the source if the vocabulary is given or words have numbers, else two; a pipe
//   is copied to a temporary file, a file never. Memory stays below `memory` (32 MiB or more), but
//   for a document larger than a sixteenth of it, a given vocabulary, and the window that a
//   compressed source asks for; temporary files stay below `scratch`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tain/core/progress.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

enum class TokenRule { unicode, ascii };

struct DocumentCounts {
  std::uint64_t documents = 0;
  std::uint64_t redirects = 0;    ///< wikipedia
  std::uint64_t other_pages = 0;  ///< wikipedia: outside the main namespace
  std::uint64_t not_files = 0;    ///< folder: links to folders or to nothing, devices, pipes

  bool operator==(const DocumentCounts&) const = default;
};

/// How many tokens were kept, and what was dropped for which reason.
struct TokenCounts {
  std::uint64_t kept = 0;
  std::uint64_t too_short = 0;
  std::uint64_t too_long = 0;
  std::uint64_t stop_words = 0;
  std::uint64_t invalid_bytes = 0;  ///< bytes that are not UTF-8

  TokenCounts& operator+=(const TokenCounts& other);
  bool operator==(const TokenCounts&) const = default;
};

/// What was read, kept and dropped, and why.
struct ImportReport {
  std::string source;
  std::string format = "text";
  bool folder = false;
  std::string detection;  ///< how the format was known; empty if it was given
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
  std::uint32_t words = 0;
  DocumentCounts read = {};
  TokenCounts text = {};
  std::uint64_t unknown_tokens = 0;  ///< of words outside the vocabulary
  std::uint64_t rare_words = 0, common_words = 0, words_beyond_limit = 0;
  std::string manifest;  ///< all of it, and the plan, as manifest.json of the corpus: JSON
};

/// What is left out is decided by the format, which refuses what would do nothing.
struct ImportPlan {
  std::optional<std::string> format = {};  ///< text, tsv, wikipedia, uci, ldac, mm, svmlight, vw
  std::optional<FirstId> first_id = {};    ///< svmlight: one
  std::optional<TokenRule> tokens = {};    ///< unicode
  std::optional<bool> keep_case = {};
  std::optional<std::uint64_t> min_length = {}, max_length = {};  ///< characters; 2, 40
  std::optional<std::string> stop_words = {};  ///< english, none, or a file of them; english
  std::optional<std::string> stemmer = {};     ///< a language; none
  std::optional<std::string> vocab = {};       ///< a file, one word per line; from the data
  std::optional<std::uint64_t> min_df = {};    ///< documents that a word is in
  std::optional<double> max_df = {};           ///< share of the documents
  std::optional<std::uint64_t> max_vocab = {};
  std::optional<std::uint64_t> memory = {};   ///< bytes; 1 GiB
  std::optional<std::uint64_t> scratch = {};  ///< bytes of disk; 80 % of what is free

  std::size_t threads = 0;  ///< 0: all cores
  bool overwrite = false;
  WorkWatch progress = {};
  std::function<void(std::string_view)> note = {};       ///< what the source was taken for
  std::function<void(const ImportReport&)> report = {};  ///< when all is done

  /// But for functions.
  void describe(Fields& fields);
};

/// Throws Error for whatever is wrong with the source, the plan or the folder (of the field
/// `output`, before any work), and (interrupted) if `progress` stopped it; then nothing is left.
Corpus import_corpus(const std::filesystem::path& source, const std::filesystem::path& folder,
                     const ImportPlan& plan = {});

}  // namespace tain
