// What documents that descend tell of words, to the ranks that have these.
//
// Definition: a document leaves its shares m_k c_k, one per topic, and a ratio for every different
//   word (topic_descent.hpp). Of a piece of documents a rank sends, one after the other: the
//   distance in the batch from its document before, how many words there are, their distances from
//   one another, their ratios; if there are any, how many shares are not alpha_k c_k, the distances
//   of these topics, and the shares. To all ranks if topics are replicated; if they are sharded,
//   each gets its own words.
// Laws: floats travel as they are, and are put together in the order of the batch: the sums over
//   documents have the bits they have in one process.
// Cost: 5 or 6 bytes per different word of a document, and as many per share; in the sharded layout
//   shares go to every rank that has a word of the document.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lda/engine/exchange/count_codec.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topic_descent_pass.hpp"
#include "tain/comm/comm.hpp"

namespace tain {

class DescentExchange {
 public:
  DescentExchange(const Sharding& sharding, std::uint32_t topics);

  /// A new batch; the prior's shares are the products of these, one per topic.
  struct Prior {
    const float *alpha, *inverse_sums;
  };
  void begin(std::size_t pieces, Prior prior);
  /// The next document of the next piece, and where in the batch it is; both these and words
  /// ascend.
  void add(std::uint64_t turn, std::span<const descent::Entry> entries,
           std::span<const float> ratios, const float* shares);
  /// Sends what was added.
  void send();

  /// Documents of all ranks, as far as this one has their words: what update needs.
  struct Batch {
    std::vector<descent::Entry>& entries;  ///< words as rows of this rank's; no counts
    std::vector<std::uint32_t>& ends;
    std::vector<float>& ratios;
    FloatBlock shares;  ///< a row per document
  };
  /// Waits for all pieces; the batch has so many documents, each of which one rank has.
  void receive(std::uint64_t documents, const Batch& batch);

 private:
  struct Piece {
    std::unique_ptr<Transfer> transfer;
    std::vector<ByteBuffer> to;  // by rank; one for all if replicated
  };
  /// Where the documents of a rank are being read.
  struct RatioSpan {
    std::size_t piece;
    ByteReader reader;
    std::uint64_t turn;
  };
  void find_next(int rank);
  void write_shares(ByteBuffer& out);
  void read_document(ByteReader& reader, std::size_t document, const Batch& batch) const;

  Sharding sharding_;
  std::uint32_t topics_;
  std::vector<Piece> pieces_;
  std::size_t sent_ = 0, used_ = 0;
  std::uint64_t last_turn_ = 0;
  std::vector<RatioSpan> places_;  // by rank
  std::vector<int> ranks_;         // by turn, of the next documents of all ranks
  std::vector<float> prior_;
  std::vector<std::uint32_t> others_;  // topics whose share is not the prior's
  std::vector<float> their_shares_;
  std::vector<std::span<const std::byte>> spans_;
};

}  // namespace tain
