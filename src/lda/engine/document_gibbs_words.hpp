// The different words of a batch, and which tokens they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/document_gibbs.hpp"

namespace tain::gibbs {

/// Cost: a few passes over the tokens, one over a bit per word of the vocabulary.
class BatchWords {
 public:
  /// The different words of the documents, ascending.
  void find(std::span<const GibbsDocument> documents, std::uint32_t vocabulary,
            std::vector<std::uint32_t>& words);
  /// Groups the tokens of these documents (all words of which were found) by word. Token i of a
  /// document has cell i after those of the documents before it, each of which has one cell more
  /// than tokens.
  void group(std::span<const GibbsDocument> documents, std::size_t found);
  /// sums.row(i)[k] = how often topic k is in the columns of the cells of word i.
  void count(std::span<const std::uint16_t> cells, std::size_t columns, Threads& threads,
             BasicBlock<std::uint32_t> sums) const;
  /// The same, added to what is there.
  void add(std::span<const std::uint16_t> cells, std::size_t columns, Threads& threads,
           BasicBlock<std::uint32_t> sums) const;

 private:
  // row[k] += how often topic k is in the cells of word i.
  void add_word(std::span<const std::uint16_t> cells, std::size_t columns, std::size_t i,
                std::uint32_t* row) const;

  std::vector<std::uint64_t> seen_;    // a bit per word; all zero between calls
  std::vector<std::uint32_t> index_;   // by word: its place among the words found
  std::vector<std::uint32_t> begin_;   // by place: first of its tokens in tokens_
  std::vector<std::uint32_t> tokens_;  // cells, grouped by word
};

}  // namespace tain::gibbs
