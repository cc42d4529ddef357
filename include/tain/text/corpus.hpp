// A corpus on disk: documents as word numbers, mapped into memory, of any size.
//
// Layout: a folder with
//   corpus.bin     header, then three sections, each starting at a multiple of 64 bytes:
//                    ids      uint32: per document, either its tokens in text order (Order::text)
//                             or its different words, ascending (Order::none);
//                    counts   uint32: one per id (Order::none only);
//                    offsets  uint64: document d has [offsets[d], offsets[d + 1]) of the above
//                  little-endian; the header holds version, sizes and checksums of the sections
//                  and of vocab.txt
//   vocab.txt      the word of every id, one per line, UTF-8
//   documents.tsv  name<TAB>title of every document, if the source had them (document_names.hpp)
//   manifest.json  where it came from and what was dropped, and why
// In memory: Corpus::over sees a matrix of documents by words, in compressed rows, as a corpus.
// Laws: what CorpusWriter is given is what Corpus gives, document by document. A folder appears
//   under its name whole or not at all. Opening checks version, sizes, checksums, that offsets
//   ascend and that every id has a word: afterwards no document can be out of range. So does
//   over(), with the fingerprint that the same corpus has in a folder. Opened by several processes
//   together, the file is checked by all of them: each looks at the documents of its own part.
// Cost: opening reads the file once, at memory speed, or one part of it; writing is one pass,
//   memory a few buffers whatever the number of documents.
// Exports: bags of words in `uci`, `ldac`, `mm`, `svmlight` (numbered words, with the words beside
//   them in a file of their own) and `vw` (words by name); documents of words in `text` and `tsv`.
//   Import of an export, with its words, is the corpus again: exactly for bags of words, token by
//   token for text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/progress.hpp"

namespace tain {

class Fields;

enum class Order { none, text };                           ///< of the tokens of a document
enum class FirstId : std::uint32_t { zero = 0, one = 1 };  ///< of the words of svmlight

/// What a document is made of; views into the mapped file or the arrays.
struct DocumentWords {
  std::span<const std::uint32_t> ids;
  std::span<const std::uint32_t> counts;  ///< empty where ids are tokens in text order

  std::uint64_t tokens() const;
};

/// A corpus without order in arrays of somebody else: document d has the words
/// ids[offsets[d]] ... ids[offsets[d + 1] - 1], different and ascending, each with its count.
struct CorpusParts {
  std::span<const std::uint32_t> ids, counts;
  std::span<const std::uint64_t> offsets;  ///< one more than documents, from 0
  std::vector<std::string> vocabulary;     ///< the word of every id
};

/// Of one of several processes that open a corpus together.
struct CorpusTurns {
  int part = 0, parts = 1;  ///< its own
  /// Calls a function in all of them, part after part: each finds the bytes as the one before left
  /// them, and all have the last ones afterwards (Comm::ordered_reduce).
  std::function<void(std::span<std::byte>, const std::function<void()>&)> take = {};
};

/// What is in a corpus, in numbers. All are exact integers, and the mean is their quotient.
struct CorpusSummary {
  struct Word {
    std::string word;
    std::uint64_t occurrences = 0, documents = 0;  ///< documents: that it occurs in
    bool operator==(const Word&) const = default;
  };
  /// Documents with a length from `shortest` to `longest`.
  struct LengthBin {
    std::uint64_t shortest = 0, longest = 0, documents = 0;
    bool operator==(const LengthBin&) const = default;
  };
  /// The quantile q is the smallest length that at least a share q of the documents does not
  /// exceed; all 0 where there are no documents.
  struct LengthQuantiles {
    std::uint64_t least = 0, lower_quartile = 0, median = 0, upper_quartile = 0, most = 0;
    bool operator==(const LengthQuantiles&) const = default;
  };

  std::string corpus;  ///< its folder, or that it has none
  std::uint64_t fingerprint = 0;
  Order order = Order::none;
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
  std::uint64_t entries = 0;  ///< pairs of document and word
  std::uint32_t words = 0, unused_words = 0;
  double mean_length = 0;  ///< tokens of a document
  LengthQuantiles quantiles = {};
  std::vector<LengthBin> lengths = {};  ///< 0, 1, 2-4, 5-9, 10-19, ...; from the least to the most
  std::vector<Word> frequencies = {};   ///< of the words that occur, most frequent first

  /// The `count` most frequent words, and the least frequent ones from the last on.
  std::vector<Word> most_frequent(std::size_t count) const;
  std::vector<Word> least_frequent(std::size_t count) const;
  /// What `tain corpus show` prints, with so many of these words.
  std::string text(std::size_t listed = 10) const;

  bool operator==(const CorpusSummary&) const = default;
};

struct CorpusExportPlan {
  std::optional<std::string> format = {};  ///< text, tsv, uci, ldac, mm, ...; by the file's ending
  std::optional<FirstId> first_id = {};    ///< svmlight: one
  bool overwrite = false;
  WorkWatch progress = {};

  /// Format and first_id.
  void describe(Fields& fields);
};

struct ExportedCorpus {
  std::string format;
  std::uint64_t documents = 0, tokens = 0;
  std::uint64_t entries = 0;  ///< pairs of document and word; 0 for text and tsv
  std::optional<std::filesystem::path> vocabulary = {};  ///< file of words, where one was written
};

struct CorpusSavePlan {
  /// One per document, or none: those that the corpus has.
  std::vector<std::string> names = {}, titles = {};
  bool overwrite = false;
  WorkWatch progress = {};
};

/// Copies share the documents.
class Corpus {
 public:
  /// Throws Error: no_input, or data with what is wrong with which file.
  static Corpus open(const std::filesystem::path& folder);
  /// For one of several processes that open it together: part by part in turns.
  static Corpus open(const std::filesystem::path& folder, const CorpusTurns& turns);

  /// The arrays must outlive it. Throws Error (data) with the document and the word. Numbers in
  /// messages count from 0, and what is above 2^31 - 1 is taken for a negative number.
  static Corpus over(CorpusParts parts);

  std::uint64_t documents() const { return offsets_.size() - 1; }
  std::uint32_t words() const { return static_cast<std::uint32_t>(vocabulary_.size()); }
  std::uint64_t tokens() const { return tokens_; }
  Order order() const { return order_; }
  /// Throws Error (io) as require_whole() does.
  DocumentWords document(std::uint64_t d) const;
  /// Throws Error (io) if the corpus was made shorter, or its disk failed, while it was open: to be
  /// asked after the last document was read.
  void require_whole() const;
  /// Words stored (tokens in text order, or different ones) of the documents before d, which may
  /// be documents().
  std::uint64_t entries_before(std::uint64_t d) const { return offsets_[d]; }
  /// The word of an id.
  const std::string& word(std::uint32_t id) const { return vocabulary_[id]; }
  std::span<const std::string> vocabulary() const { return vocabulary_; }
  /// Of documents and words, not of names and titles: what a model says it was trained on.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// Empty if it is in memory.
  const std::filesystem::path& folder() const { return folder_; }
  /// For messages: the folder, or that it has none.
  std::string name() const;

  /// Counts all tokens anew. `threads`: 0: all cores.
  CorpusSummary summary(std::size_t threads = 0) const;

  // Work that is stopped by its progress function throws Error (interrupted) and leaves nothing.

  /// To a file that others read, or "-" for standard output; .gz, .bz2, .xz or .zst at the end
  /// compresses. Words of numbered formats go to a file beside it. Throws Error for what a format
  /// cannot write.
  ExportedCorpus export_to(const std::filesystem::path& file,
                           const CorpusExportPlan& plan = {}) const;
  /// As a folder that open() reads.
  void save(const std::filesystem::path& folder, const CorpusSavePlan& plan = {}) const;

 private:
  Corpus() = default;

  struct Owned;
  std::shared_ptr<const Owned> owned_;  // what the views below look at, but for arrays of others
  std::filesystem::path folder_;
  Order order_ = Order::none;
  std::uint64_t tokens_ = 0, fingerprint_ = 0;
  std::span<const std::uint32_t> ids_, counts_;
  std::span<const std::uint64_t> offsets_;
  std::span<const std::string> vocabulary_;
};

}  // namespace tain
