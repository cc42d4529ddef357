// Documents as bags of words, whatever the order of the corpus.
//
// Definition: the different words of a document, ascending, with their counts.
// Cost: O(1) per token and a sort of the different words; no allocation once the bag has grown;
//   memory 4 bytes per word of the vocabulary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tain/text/corpus.hpp"
#include "text/bag.hpp"

namespace tain {

/// One per thread.
class DocumentCounter {
 public:
  explicit DocumentCounter(std::uint32_t words) : counts_(words) {}

  /// Valid until the next call.
  const Bag& count(const DocumentWords& document);
  /// How many different words the document has.
  std::size_t distinct(const DocumentWords& document);

 private:
  void count_tokens(const DocumentWords& document);

  std::vector<std::uint32_t> counts_;  ///< by word; zero between calls
  Bag bag_;
};

}  // namespace tain
