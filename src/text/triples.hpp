// Entries `document word count`, from 1, sorted by document: what uci and mm share.
#pragma once

#include <memory>

#include "text/bag.hpp"
#include "text/fields.hpp"

namespace tain::text {

struct TripleSizes {
  std::uint64_t documents = 0, words = 0, entries = 0;
};

class TripleReader : public BagReader {
 public:
  bool next(Bag& bag) final;
  std::optional<std::uint32_t> vocabulary_size() const final { return vocabulary_size_; }
  std::optional<std::uint64_t> documents() const final { return sizes_.documents; }
  std::string where() const final { return lines_.where(); }
  const ByteSource& source() const final { return *source_; }

 protected:
  /// Lines that begin with `comment` are skipped (NUL: none are).
  TripleReader(std::unique_ptr<ByteSource> source, char comment);

  /// To be called once the header is read.
  void begin(const TripleSizes& sizes, const BagOptions& options);
  /// The first line as it is.
  std::optional<std::string_view> first_line() { return lines_.next(); }
  /// The next line with something on it.
  std::optional<std::string_view> next_line();
  const LineReader& lines() const { return lines_; }

 private:
  bool read_entry();
  void refuse_gap(std::uint64_t first, std::uint64_t last) const;

  std::unique_ptr<ByteSource> source_;
  LineReader lines_;
  char comment_;
  TripleSizes sizes_;
  std::uint32_t vocabulary_size_ = 0;
  std::uint64_t document_ = 0;  ///< number of the document given last
  std::uint64_t entries_ = 0;   ///< read so far
  struct Entry {
    std::uint64_t document = 0;
    std::uint32_t id = 0, count = 0;
  } entry_;               ///< the entry read last
  bool pending_ = false;  ///< it belongs to a document not given yet
  bool ended_ = false;
};

}  // namespace tain::text
