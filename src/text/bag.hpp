// Bags of words: documents as counts, read one by one.
//
// Definition: ids count from 0 here, whatever the file does. What the formats leave open:
//   - a count is a whole number from 0 to 2^31 - 1, written as an integer or not (3, 3.0, 3e0); 0
//     says that the word is absent; negative, fractional and larger counts are errors;
//   - words may come in any order and more than once in a document: they are sorted and their
//     counts added (beyond 2^31 - 1: error);
//   - documents with no words count as documents. In uci and mm, where they leave no trace, every
//     number from 1 to D is a document; D that skips more than `max_missing_documents` in a row is
//     taken for damage. Documents out of order are errors, since nothing is read twice;
//   - uci, mm: the header's D, W and number of entries bind; blank lines are skipped, and in mm
//     lines that begin with %. Only `coordinate`, `integer` or `real`, `general` is read, rows
//     being documents (gensim's layout);
//   - ldac, svmlight, vw: one line is one document; blank lines may only end the file;
//   - svmlight: the label (numbers) and qid:N are read and dropped, # begins a comment, a line with
//     nothing else is skipped; ids begin at 1 unless stated;
//   - vw: all namespaces make one document and their names are dropped; namespace weights other
//     than 1, NUL bytes and invalid UTF-8 are errors. Words stay in the order of the line and may
//     repeat: they are added up when they become ids.
// Laws: write, then read, is the identity. Any bytes give bags or Error (data) with the message
//   `<name>:<line>: ...`; a header that lies is found at the end of the file at the latest.
// Cost: one pass, no allocation per document once the vectors have grown; memory is that of the
//   longest line and of the largest document (`max_bag_words` at most).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/text/import.hpp"
#include "text/bytes.hpp"
#include "text/formats.hpp"

namespace tain {

inline constexpr std::uint32_t max_count = 0x7FFF'FFFF;
/// Ids are below this, so that the size of a vocabulary is a 32-bit number too.
inline constexpr std::uint32_t max_vocabulary_size = 0xFFFF'FFFF;
inline constexpr std::uint64_t max_missing_documents = std::uint64_t{1} << 20;
/// Most different words of one document; in vw, most words.
inline constexpr std::size_t max_bag_words = std::size_t{1} << 24;

/// One document; meant to be used again for the next.
struct Bag {
  std::vector<std::uint32_t> ids;     ///< ascending, all different
  std::vector<std::uint32_t> counts;  ///< one per id, from 1 to max_count

  void clear() {
    ids.clear();
    counts.clear();
  }
  bool operator==(const Bag&) const = default;
};

/// Sorts by id and adds the counts of equal ids. Throws Error (data) at `where` if a sum exceeds
/// max_count.
void sort_and_merge(Bag& bag, std::string_view where);

/// One document with words by name. The views hold until the next document is read.
struct WordBag {
  std::string_view tag;                 ///< name of the document, or empty
  std::vector<std::string_view> words;  ///< in the order of the file, perhaps repeated
  std::vector<std::uint32_t> counts;    ///< one per word, from 1 to max_count
};

/// What readers of every kind can be asked about the file.
class BagFile {
 public:
  virtual ~BagFile() = default;
  /// `<name>:<line>`: where the reader is.
  virtual std::string where() const = 0;
  /// For progress.
  virtual const ByteSource& source() const = 0;
};

class BagReader : public BagFile {
 public:
  /// The next document; false at the end.
  virtual bool next(Bag& bag) = 0;
  /// What the header says; none in formats without header.
  virtual std::optional<std::uint32_t> vocabulary_size() const { return std::nullopt; }
  virtual std::optional<std::uint64_t> documents() const { return std::nullopt; }
};

class WordBagReader : public BagFile {
 public:
  virtual bool next(WordBag& bag) = 0;
};

struct BagOptions {
  /// Where given, ids from there on (and headers that announce more words) are errors.
  std::optional<std::uint32_t> vocabulary_size;
  /// First id of svmlight files; the other formats fix theirs.
  FirstId svmlight_first_id = FirstId::one;
};

/// A reader of uci, ldac, mm or svmlight. Reads the header: throws Error (data) if it is wrong.
std::unique_ptr<BagReader> read_bags(Format format, std::unique_ptr<ByteSource> source,
                                     const BagOptions& options = {});
/// A reader of vw.
std::unique_ptr<WordBagReader> read_word_bags(std::unique_ptr<ByteSource> source);

}  // namespace tain
