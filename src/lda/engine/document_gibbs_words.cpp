#include "lda/engine/document_gibbs_words.hpp"

#include <algorithm>
#include <bit>

namespace tain::gibbs {

namespace {
// Calls body(i) for i in [0, words).
template <class Body>
void for_blocks_of_words(std::size_t words, Threads& threads, const Body& body) {
  threads.for_each((words + block_words - 1) / block_words, [&](std::size_t block) {
    const std::size_t end = std::min(words, (block + 1) * block_words);
    for (std::size_t i = block * block_words; i < end; ++i) {
      body(i);
    }
  });
}
}  // namespace

void BatchWords::find(std::span<const GibbsDocument> documents, std::uint32_t vocabulary,
                      std::vector<std::uint32_t>& words) {
  seen_.resize((vocabulary + 63) / 64);
  index_.resize(vocabulary);
  for (const GibbsDocument& document : documents) {
    for (const std::uint32_t word : document.words) {
      seen_[word / 64] |= std::uint64_t{1} << (word % 64);
    }
  }
  words.clear();
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (std::uint64_t bits = seen_[i]; bits != 0; bits &= bits - 1) {
      const auto word =
          static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
      index_[word] = static_cast<std::uint32_t>(words.size());
      words.push_back(word);
    }
    seen_[i] = 0;
  }
}

void BatchWords::group(std::span<const GibbsDocument> documents, std::size_t found) {
  begin_.assign(found + 1, 0);
  std::size_t tokens = 0;
  for (const GibbsDocument& document : documents) {
    for (const std::uint32_t word : document.words) {
      ++begin_[index_[word]];
    }
    tokens += document.words.size();
  }
  tokens_.resize(tokens);
  // Ends first; filling from behind turns them into beginnings.
  std::uint32_t end = 0;
  for (std::uint32_t& count : begin_) {
    end += count;
    count = end;
  }
  std::size_t cell = tokens + documents.size();
  for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
    --cell;
    for (auto word = document->words.rbegin(); word != document->words.rend(); ++word) {
      tokens_[--begin_[index_[*word]]] = static_cast<std::uint32_t>(--cell);
    }
  }
}

void BatchWords::count(std::span<const std::uint16_t> cells, std::size_t columns, Threads& threads,
                       BasicBlock<std::uint32_t> sums) const {
  for_blocks_of_words(sums.rows(), threads, [&](std::size_t i) {
    std::fill_n(sums.row(i), sums.lanes(), 0U);
    add_word(cells, columns, i, sums.row(i));
  });
}

void BatchWords::add(std::span<const std::uint16_t> cells, std::size_t columns, Threads& threads,
                     BasicBlock<std::uint32_t> sums) const {
  for_blocks_of_words(sums.rows(), threads,
                      [&](std::size_t i) { add_word(cells, columns, i, sums.row(i)); });
}

void BatchWords::add_word(std::span<const std::uint16_t> cells, std::size_t columns, std::size_t i,
                          std::uint32_t* row) const {
  for (std::uint32_t t = begin_[i]; t < begin_[i + 1]; ++t) {
    for (const std::uint16_t topic : cells.subspan(tokens_[t] * columns, columns)) {
      ++row[topic];
    }
  }
}

}  // namespace tain::gibbs
