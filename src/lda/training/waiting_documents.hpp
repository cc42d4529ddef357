// Documents that came too early for a batch: bags of words, one after the other.
//
// Laws: a document is a bag, whatever order its tokens came in. Dropped documents take no memory
//   once as many are gone as are left.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

class WaitingDocuments {
 public:
  void add(const DocumentWords& words);
  /// How many there are.
  std::uint64_t documents() const { return offsets_.size() - 1 - first_; }
  /// Number d of those that wait; a view until the next add() or drop().
  DocumentWords document(std::uint64_t d) const;
  /// The first `count`; borrows from this. Words have numbers, no spelling.
  Corpus corpus(std::uint64_t count, std::uint32_t words) const;
  /// The first `count` are done with.
  void drop(std::uint64_t count);
  /// Of a stream of so many words.
  void archive(Archive& a, std::uint32_t words);

 private:
  void forget_dropped();
  bool are_bags(std::uint32_t words) const;

  std::vector<std::uint32_t> ids_, counts_;
  std::vector<std::uint64_t> offsets_{0};
  std::uint64_t first_ = 0;  // of those that are not dropped
  std::vector<std::uint32_t> sorted_;
};

}  // namespace tain
