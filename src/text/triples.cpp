#include "text/triples.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"

namespace tain::text {

TripleReader::TripleReader(std::unique_ptr<ByteSource> source, char comment)
    : source_(std::move(source)), lines_(*source_), comment_(comment) {}

void TripleReader::begin(const TripleSizes& sizes, const BagOptions& options) {
  sizes_ = sizes;
  const std::uint64_t known = options.vocabulary_size.value_or(max_vocabulary_size);
  if (sizes.words > known) {
    fail(Fault::data, lines_.where(),
         fmt::format("header announces {} words, more than {}", sizes.words, known),
         options.vocabulary_size ? "check that file and vocabulary belong together"
                                 : "check the header");
  }
  vocabulary_size_ = static_cast<std::uint32_t>(sizes.words);
}

std::optional<std::string_view> TripleReader::next_line() {
  auto line = lines_.next();
  while (line && (is_blank(*line) || (comment_ != '\0' && line->front() == comment_))) {
    line = lines_.next();
  }
  return line;
}

bool TripleReader::next(Bag& bag) {
  if (document_ == sizes_.documents) {
    // Nothing may follow the last document: an entry here is out of order or beyond the header.
    while (!ended_ && read_entry()) {
    }
    return false;
  }
  ++document_;
  BagBuilder builder(bag, lines_);
  while (pending_ || (!ended_ && read_entry())) {
    pending_ = entry_.document > document_;
    if (pending_) {
      break;
    }
    builder.add(entry_.id, entry_.count);
  }
  builder.finish();
  return true;
}

/// Reads one entry and checks it against the header and the one before; false at the end.
bool TripleReader::read_entry() {
  const auto line = next_line();
  if (!line) {
    if (entries_ != sizes_.entries) {
      fail(Fault::data, lines_.where(),
           fmt::format("header announces {} entries, the file has {}", sizes_.entries, entries_),
           "the file is truncated or its header is wrong");
    }
    refuse_gap(entry_.document, sizes_.documents + 1);
    ended_ = true;
    return false;
  }
  Fields fields(*line, lines_);
  fields.more();
  const std::uint64_t document = fields.whole_number("document number");
  fields.more();
  const std::uint64_t id = fields.whole_number("word id");
  fields.more();
  const std::uint32_t count = fields.count();
  if (fields.more()) {
    fields.refuse_line("more than three numbers", "give document, word and count");
  }
  if (document == 0 || document > sizes_.documents) {
    fields.refuse_line(
        fmt::format("document {} is not between 1 and {}", document, sizes_.documents),
        "check the header");
  }
  if (document < entry_.document) {
    fields.refuse_line(fmt::format("document {} after document {}", document, entry_.document),
                       "sort the entries by document");
  }
  if (++entries_ > sizes_.entries) {
    fields.refuse_line(
        fmt::format("more than the {} entries that the header announces", sizes_.entries),
        "check the header");
  }
  refuse_gap(entry_.document, document);
  entry_ = {document, checked_id(lines_, id, 1, vocabulary_size_), count};
  return true;
}

/// Between documents `first` and `last`, which have words, stand documents without.
void TripleReader::refuse_gap(std::uint64_t first, std::uint64_t last) const {
  if (last > first && last - first - 1 > max_missing_documents) {
    fail(Fault::data, lines_.where(),
         fmt::format("documents {} to {} have no words", first + 1, last - 1),
         "check the header and the numbers of the documents");
  }
}

}  // namespace tain::text
