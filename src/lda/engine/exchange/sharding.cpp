#include "lda/engine/exchange/sharding.hpp"

#include "lda/engine/topics.hpp"
#include "tain/core/error.hpp"

namespace tain {

Comm& Sharding::alone() {
  static Alone one;  // has no state
  return one;
}

Sharding::Sharding(std::uint32_t words) : Sharding(alone(), Layout::replicated, words) {}

Sharding::Sharding(Comm& comm, Layout layout, std::uint32_t words)
    : comm_(&comm), layout_(layout), words_(words) {}

Range Sharding::words_of(int rank) const {
  if (layout_ == Layout::replicated) {
    return {0, words_};
  }
  const std::uint64_t blocks = (std::uint64_t{words_} + block_words - 1) / block_words;
  const auto ranks = static_cast<std::uint64_t>(comm_->ranks());
  const auto bound = [&](std::uint64_t r) {
    return std::min<std::uint64_t>(words_, blocks * r / ranks * block_words);
  };
  return {bound(static_cast<std::uint64_t>(rank)), bound(static_cast<std::uint64_t>(rank) + 1)};
}

// The greatest r with floor(B r / n) <= b, b the word's block: r = floor((n (b + 1) - 1) / B).
int Sharding::owner(std::uint32_t word) const {
  TAIN_EXPECTS(layout_ == Layout::sharded && word < words_, "a word that a rank has to itself");
  const std::uint64_t blocks = (std::uint64_t{words_} + block_words - 1) / block_words;
  const std::uint64_t block = word / block_words;
  return static_cast<int>((static_cast<std::uint64_t>(comm_->ranks()) * (block + 1) - 1) / blocks);
}

}  // namespace tain
