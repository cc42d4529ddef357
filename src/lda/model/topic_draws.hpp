// Draws of topics in a model: what the mean of topics.npy leaves out, how sure the topics are.
//
// Layout: draws.npy is draws x topics x words in float32, in C order; rows sum to 1. The draws are
//   evenly spaced over the second part of the training (kept_draws.hpp), the last one is the last
//   state: dual.npy is its logarithm. draw_shares.npy, draws x topics in float64, has the share of
//   the training tokens that each topic had in each draw; it is there where training kept the
//   topics of documents.
// Laws: opening checks sizes, checksums, shapes and that every row is a distribution.
// Cost: opening reads the file once, by a map: memory is the system's to take back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/file.hpp"

namespace tain {

class TopicDraws {
 public:
  /// None if the model has none: it was told to keep none, training ended before its first draw, or
  /// the file was removed. Throws Error as ModelData::open, and data if the draws are damaged.
  static std::optional<TopicDraws> open(const std::filesystem::path& folder);

  /// In memory: rows, draw after draw; the documents seen at each; their shares, or none.
  TopicDraws(std::vector<float> rows, std::uint32_t topics, std::uint32_t words,
             std::vector<std::uint64_t> documents, std::vector<double> shares);

  std::uint64_t draws() const { return documents_.size(); }
  std::uint32_t topics() const { return topics_; }
  std::uint32_t words() const { return words_; }
  /// phi_kw of a draw, all words.
  std::span<const float> topic(std::uint64_t draw, std::uint32_t topic) const;
  /// All topics of a draw, one after the other.
  std::span<const float> values(std::uint64_t draw) const;
  /// Documents seen when each was drawn, ascending.
  std::span<const std::uint64_t> documents() const { return documents_; }
  /// One share per topic; empty where they are not known.
  std::span<const double> shares(std::uint64_t draw) const;

 private:
  TopicDraws() = default;

  MappedFile file_;
  std::vector<float> rows_;  // or a file
  std::span<const float> values_;
  std::uint32_t topics_ = 0, words_ = 0;
  std::vector<std::uint64_t> documents_;
  std::vector<double> shares_;
};

}  // namespace tain
