// Rows of weights on loan: what the documents of a rank need of words that other ranks have.
//
// Definition: documents are looked at in pieces. For every piece a rank lists the different words
//   of its documents, and asks the ranks that have them for their rows; a table then holds the rows
//   of one piece, those of its own words too, by ascending word. Documents are renumbered to it.
// Laws: a row of the table has the bits of the row it was copied from, and the order of rows is
//   that of words: what is computed from them has the same bits as with all words at hand.
// Cost: 4 bytes for every word asked for, 4 K for its row, both once per piece; rows of a piece
//   travel while the one before it is looked at. Memory: the table, and twice as much on its way in
//   and out; a number per word of the vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"

namespace tain {

class TopicRows {
 public:
  /// Lends rows of `own`, the weights of this rank's words, which must outlive this. Collective, as
  /// are ask() and take().
  TopicRows(const TopicWeights& own, const Sharding& sharding);

  /// Lists anew: words of the documents of a piece, then end_piece(), for every piece. All ranks
  /// have the same number of pieces.
  void begin();
  void want(std::span<const std::uint32_t> words);
  void end_piece();
  /// Asks for all that was listed.
  void ask();
  /// Fills the table for the next piece, and starts to send what follows it.
  void take(Threads& threads);
  /// Moves on what is under way.
  void advance() { rows_->advance(); }

  /// Weights of the words of the piece, one row each (there may be more rows than words).
  const TopicWeights& table() const { return table_; }
  /// The word of every row, ascending.
  std::span<const std::uint32_t> words() const { return words_; }
  /// The row of a word of the piece.
  std::uint32_t row(std::uint32_t word) const { return index_[word]; }

 private:
  std::span<const std::uint32_t> listed(std::size_t piece) const;
  std::span<const std::uint32_t> asked(int rank, std::size_t piece) const;
  void send(std::size_t piece);

  const TopicWeights& own_;
  Sharding sharding_;
  std::unique_ptr<Transfer> requests_, rows_;
  std::vector<std::uint64_t> seen_;   // a bit per word; all zero between pieces
  std::vector<std::uint32_t> index_;  // by word: its row
  std::vector<std::uint32_t> listed_;
  std::vector<std::size_t> ends_{0};                    // of every piece in listed_
  std::vector<std::vector<std::uint32_t>> request_to_;  // by rank
  std::vector<std::vector<std::size_t>> asked_ends_;    // by rank: of every piece
  std::vector<std::vector<float>> rows_to_;             // by rank
  std::vector<std::span<const std::byte>> to_;
  std::size_t next_ = 0;
  std::span<const std::uint32_t> words_;
  TopicWeights table_;
};

/// Rows of the table that are at hand at a time, as documents are cut into pieces: bytes.
inline constexpr std::uint64_t row_budget = std::uint64_t{64} << 20;
/// Pieces in which the ranks' documents of a batch of so many are looked at, each of which has
/// `entries` words on average: what one tells travels while the next is looked at, and its rows,
/// where words are sharded, stay within the budget. The same on all ranks.
std::size_t pieces_of_a_batch(const Sharding& sharding, std::uint32_t topics,
                              std::uint64_t documents, double entries);
/// Documents [first, end) of `documents` that are piece p of `pieces`.
constexpr Range piece_of(std::uint64_t documents, std::size_t piece, std::size_t pieces) {
  return {documents * piece / pieces, documents * (piece + 1) / pieces};
}

}  // namespace tain
