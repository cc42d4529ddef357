// UCI bag of words: D, W and the number of entries on three lines, then `document word count`.
#include "tain/core/error.hpp"
#include "text/readers.hpp"
#include "text/triples.hpp"

namespace tain::text {
namespace {

class UciReader final : public TripleReader {
 public:
  UciReader(std::unique_ptr<ByteSource> source, const BagOptions& options)
      : TripleReader(std::move(source), '\0') {
    TripleSizes sizes;
    sizes.documents = header("number of documents");
    sizes.words = header("number of words");
    sizes.entries = header("number of entries");
    begin(sizes, options);
  }

 private:
  std::uint64_t header(std::string_view what) {
    const auto line = next_line();
    Fields fields(line.value_or(""), lines());
    fields.more();
    const std::uint64_t value = fields.whole_number(what);
    if (fields.more()) {
      fields.refuse_line("header has more than one number on a line",
                         "give documents, words and entries on three lines");
    }
    return value;
  }
};

}  // namespace

std::unique_ptr<BagReader> uci_reader(std::unique_ptr<ByteSource> source,
                                      const BagOptions& options) {
  return std::make_unique<UciReader>(std::move(source), options);
}

}  // namespace tain::text
