// Bags of words, written in the formats that bag.hpp reads.
//
// Definition: uci, mm (real, general, one row per document), ldac, svmlight (label 0, ids from
//   1 unless stated), vw ('tag if there is one, counts of 1 left out).
// Laws: read, after write, is the identity. Writers state their totals first and keep to them:
//   finish() throws Error (internal) if the documents or entries written differ from those
//   announced. A failing stream is Error (io), found at finish() at the latest.
// Cost: one pass; a buffer of 64 KiB.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "text/bag.hpp"

namespace tain {

struct BagTotals {
  std::uint64_t documents = 0;
  std::uint32_t vocabulary_size = 0;
  std::uint64_t entries = 0;  ///< pairs of document and word
};

class BagWriter {
 public:
  virtual ~BagWriter() = default;
  virtual void write(const Bag& bag) = 0;
  /// Passes everything on to the stream; nothing may be written after it.
  virtual void finish() = 0;
};

class WordBagWriter {
 public:
  virtual ~WordBagWriter() = default;
  /// Throws Error (data) if the tag or a word cannot be written: empty, or with a blank, a line
  /// end, a NUL byte, `:` or `|`.
  virtual void write(const WordBag& bag) = 0;
  virtual void finish() = 0;
};

/// A writer of uci, ldac, mm or svmlight; `name` is for messages. The stream must outlive it.
std::unique_ptr<BagWriter> write_bags(Format format, std::ostream& out, std::string name,
                                      const BagTotals& totals,
                                      FirstId svmlight_first_id = FirstId::one);
/// A writer of vw.
std::unique_ptr<WordBagWriter> write_word_bags(std::ostream& out, std::string name);

}  // namespace tain
