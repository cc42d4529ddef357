// Draws of the topics that a training run keeps on its way, in a file rather than in memory.
//
// Definition: with `first` documents before the first draw and blocks of `every` documents after
//   them, the first draw of each block b = 1, 2, ... is kept, until there are more than count - 1;
//   then `every` doubles and what is no longer first of a block goes. Together with the state at
//   the end these are `count` draws, evenly spaced if `every` was chosen for the length of the run,
//   at most one fewer where draws are hardly more than twice as many, and between count / 2 and
//   count if the run turned out longer.
// Layout: a draw is topics x words, float32, rows sum to 1. Draws have positions in a file, which
//   they never leave: one position more than are kept, so that the next draw overwrites none.
// Laws: which draws are kept and their bits depend on the draws given, not on threads. A position
//   is written again only after thinned() was answered by a checkpoint: whatever kills the process,
//   the file holds every draw that the last checkpoint counts, and perhaps later ones besides,
//   which are written again at the same positions.
// Ranks: rank 0 has the file; the others know which draws are in it. What all call is collective.
// Memory: 8 bytes per draw and topic; the file is mapped. Without a file the draws are in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/file.hpp"
#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"
#include "lda/model/model_data.hpp"

namespace tain {

struct KeptDrawsPlan {
  std::uint64_t count = 0;  ///< with the one at the end; 0: none is kept
  std::uint64_t first = 0;  ///< documents before draws are kept
  std::uint64_t every = 1;  ///< documents between draws, to begin with
};

/// As many as fit into 256 MB, at most ten.
std::uint64_t usual_kept_draws(std::uint32_t topics, std::uint32_t words);

/// Of the file that draws are in on the way.
std::uint64_t kept_draws_bytes(std::uint64_t count, std::uint32_t topics, std::uint32_t words);

class KeptDraws {
 public:
  KeptDraws(std::uint32_t topics, const Sharding& sharding, const KeptDrawsPlan& plan);

  /// Is a draw after so many documents one to keep? Documents never decrease.
  bool due(std::uint64_t documents) const;
  /// Keeps the draw, of which `topics` has the words of this rank. `shares`: of its tokens, one per
  /// topic, or empty where they are not known. Collective.
  void keep(std::uint64_t documents, const TopicWeights& topics, std::span<const double> shares,
            Threads& threads);
  /// Did draws go since the last checkpoint? Then there must be one before the next is kept.
  bool thinned() const { return thinned_; }
  /// Documents seen when each was drawn, ascending.
  std::vector<std::uint64_t> documents() const;

  /// Where the draws are from now on; the file is there also if none is kept. Those that the state
  /// counts must be there, or in the finished model of the same folder. Throws Error (data) if they
  /// are not, and cannot_create or io.
  void use_file(const std::filesystem::path& file);
  /// Everything kept is on disk afterwards; to be called before the state is saved.
  void sync();
  /// The state without the draws themselves.
  void archive(Archive& a);
  /// Have those that are kept shares? None where none is kept.
  std::optional<bool> have_shares() const {
    return slots_.empty() ? std::nullopt : std::optional(!slots_.front().shares.empty());
  }
  /// After archive(): a checkpoint is complete.
  void saved() { thinned_ = false; }

  /// The draws kept and the state at the end, unless it is kept already. Views hold until the next
  /// call of any function. Collective; none but on rank 0.
  DrawFiles with_last(std::uint64_t documents, const TopicWeights& topics,
                      std::span<const double> shares, Threads& threads);
  /// Removes the file, once the draws are part of a model.
  void discard_file();

 private:
  struct Slot {
    std::uint64_t documents = 0, position = 0, checksum = 0;
    std::vector<double> shares;
  };
  std::uint64_t block(std::uint64_t documents) const;
  std::uint64_t free_position() const;
  std::span<float> values(std::uint64_t position);
  void write(const TopicWeights& topics, std::uint64_t position, Threads& threads);
  void thin();
  void require_place();
  /// After reading: are they draws that a run keeps?
  bool are_possible() const;
  /// Are the draws that the state counts where they should be?
  bool sound();
  void take_from_model(const std::filesystem::path& file, std::uint64_t bytes);
  [[noreturn]] void refuse(const std::filesystem::path& file, std::string_view problem) const;

  std::uint32_t topics_, words_;
  Sharding sharding_;
  KeptDrawsPlan plan_;
  std::vector<Slot> slots_;
  bool thinned_ = false;
  std::filesystem::path path_;
  MappedFile file_;
};

}  // namespace tain
