// Counts that travel: what documents tell of words, to the ranks that count these.
//
// Definition: of every piece of a batch's documents a rank sends the counts by word and topic (of
//   fresh assignments: how often the sweeps gave them; of kept ones: what changed), to all ranks if
//   topics are replicated, to the ranks that have the words if they are sharded. Whoever counts a
//   word adds up what came, its own included. A rank with several threads cuts a piece into parts,
//   one for each, that are written and read side by side.
// Laws: counts are whole numbers: neither pieces, parts nor ranks change them.
// Cost: a message is three numbers and one more per part, some 10 bytes, and its counts
//   (count_codec.hpp); writing is a pass over the tokens and two over those that changed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/exchange/count_codec.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"

namespace tain {

/// A document whose tokens have new topics.
struct ChangedDocument {
  std::span<const std::uint32_t> words;   ///< of its tokens; or rows that have a name
  std::span<const std::uint16_t> before;  ///< topics; empty: they had none
  std::span<const std::uint16_t> now;
};

/// Counts of some documents as bytes, a list for every receiver.
class CountEncoder {
 public:
  /// What changed, all tokens taken together; names[row] is the word of a row, if there are names.
  /// Receiver r gets the words below ends[r] that none before it has got.
  void write_changes(std::span<const ChangedDocument> documents,
                     std::span<const std::uint32_t> names, std::span<const std::uint64_t> ends);
  /// The rows [first, end) of counts.
  void write_sums(const TopicCounts& counts, std::size_t first, std::size_t end,
                  std::span<const std::uint32_t> names, std::span<const std::uint64_t> ends);
  std::span<const ByteBuffer> to() const { return to_; }

 private:
  struct Change {
    std::uint32_t word;
    std::uint16_t before, now;
  };
  void note(std::span<const ChangedDocument> documents);
  void group();
  void add_up(std::size_t begin, std::size_t end);
  void list_touched();
  template <class Word, class Write>
  void write(std::span<const std::uint64_t> ends, std::size_t first, std::size_t end,
             const Word& word, const Write& write_word);

  std::vector<ByteBuffer> to_;
  std::vector<Change> changes_, grouped_;  // of tokens; by word
  std::vector<std::uint64_t> seen_;        // a bit per word, zero between calls
  std::vector<std::uint32_t> words_, begin_;
  std::vector<std::uint32_t> ends_;          // by word, of its changes; zero between calls
  std::vector<std::int32_t> by_;             // by topic, of a word; zero between words
  std::vector<std::uint64_t> marks_, most_;  // a bit per topic, a bit per word of these; zero too
  std::vector<std::uint16_t> touched_;
};

class CountExchange {
 public:
  explicit CountExchange(const Sharding& sharding);

  /// A new batch, of so many pieces.
  void begin(std::size_t pieces);
  /// Sends what changed in the next piece, with the number of `tokens` that were drawn.
  void send_changes(std::span<const ChangedDocument> documents,
                    std::span<const std::uint32_t> names, std::uint64_t tokens, Threads& threads);
  /// Sends the counts of the next piece.
  void send_sums(const TopicCounts& counts, std::span<const std::uint32_t> names,
                 std::uint64_t tokens, Threads& threads);
  /// Moves on what is under way.
  void advance();

  /// Waits for all pieces that were sent. Gives the tokens that all ranks drew.
  std::uint64_t receive();
  /// What came: lists for read_counts.
  std::span<const std::span<const std::byte>> lists() const { return lists_; }
  /// Adds up sums that came; `kept` stays as it is.
  void add_up(TopicCounts& counts, std::size_t row_length, Threads& threads);

 private:
  struct Piece {
    std::unique_ptr<Transfer> transfer;
    std::vector<ByteBuffer> to;  // by rank; one for all if replicated
  };
  void send(std::size_t parts, std::uint64_t tokens);

  Sharding sharding_;
  std::vector<std::uint64_t> ends_;  // of the words of every receiver
  std::vector<Piece> pieces_;
  std::size_t sent_ = 0;
  std::vector<CountEncoder> encoders_;
  std::vector<std::span<const std::byte>> spans_, lists_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint32_t> index_;
};

}  // namespace tain
