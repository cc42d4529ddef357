// Counts that travel: what documents tell of words, to the ranks that count these.
//
// Definition: of every piece of a batch's documents a rank sends the counts by word and topic (of
//   fresh assignments: how often the sweeps gave them; of kept ones: what changed, all tokens of
//   the piece taken together), to all ranks if topics are replicated, to the ranks that have the
//   words if they are sharded. Whoever counts a word adds up what came, its own included.
// Laws: counts are whole numbers: neither pieces nor ranks change them.
// Cost: 8 bytes a piece and rank, and those of count_codec.hpp; encoding is a pass over the tokens
//   and one over those that changed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lda/count_codec.hpp"
#include "tain/lda/division.hpp"
#include "tain/lda/document_gibbs.hpp"
#include "tain/lda/topics.hpp"

namespace tain {

class CountExchange {
 public:
  explicit CountExchange(const Division& division) : division_(division) {}

  /// A new batch, of so many pieces.
  void begin(std::size_t pieces);
  /// Tokens of a document of the next piece: words, or rows of which names[row] is the word, and
  /// their topics before (`none`: they had none, also if there are none) and now.
  void note(std::span<const std::uint32_t> words, std::span<const std::uint16_t> before,
            std::span<const std::uint16_t> now, std::uint16_t none);
  /// Sends what was noted, with the number of `tokens` that were drawn.
  void send_changes(std::span<const std::uint32_t> names, std::uint64_t tokens);
  /// Sends the counts of the next piece.
  void send_sums(const TopicCounts& counts, std::span<const std::uint32_t> names,
                 std::uint64_t tokens);
  /// Moves on what is under way.
  void advance();

  /// Adds up the sums of all pieces of all ranks; `kept` stays. Gives the tokens that were drawn.
  std::uint64_t add_up(TopicCounts& counts, std::size_t pieces, std::size_t row_length);
  /// Waits for a piece, and calls begin(word) and change(topic, by) for everything in it. Gives the
  /// tokens that all ranks drew.
  template <class Begin, class Change>
  std::uint64_t receive(std::size_t piece, const Begin& begin, const Change& change) {
    std::uint64_t tokens = 0;
    for (int r = 0; r < division_.comm().ranks(); ++r) {
      read_counts(counts_from(piece, r, tokens), begin, change);
    }
    return tokens;
  }

 private:
  struct Piece {
    std::unique_ptr<Transfer> transfer;
    std::vector<ByteBuffer> to;  // by rank; one for all if replicated
    bool arrived = false;
  };
  struct Change {
    std::uint32_t word;
    std::uint16_t before, now;
  };

  Piece& next_piece(std::uint64_t tokens);
  void start(Piece& piece);
  /// The words seen, ascending; index_ tells the place of each.
  void list_seen(std::vector<std::uint32_t>& words);
  void group();
  void add_up_word(std::size_t begin, std::size_t end);
  std::span<const std::byte> counts_from(std::size_t piece, int rank, std::uint64_t& tokens);
  /// Calls write(writer, i) for every i of [0, count), the writer being that of the rank which has
  /// word(i); words ascend.
  template <class Word, class Write>
  void write_by_owner(Piece& piece, std::size_t count, const Word& word, const Write& write);

  Division division_;
  std::vector<Piece> pieces_;
  std::size_t sent_ = 0;
  std::uint16_t none_ = 0;

  std::vector<Change> changes_;  // of tokens
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint32_t> words_, index_, begin_;
  std::vector<Change> grouped_;   // by word
  std::vector<std::int32_t> by_;  // by topic, of a word; zero between words
  std::vector<std::uint16_t> touched_;
  std::vector<std::span<const std::byte>> spans_;
};

}  // namespace tain
