// A topic model on disk: topics, their words, the priors, and how they came about.
//
// Layout: a folder with
//   topics.npy     K x W float32, rows sum to 1: the mean over the draws kept
//   dual.npy       K x W float32: the last draw in the dual of the entropic map, y_kw = log phi_kw
//   vocab.txt      the word of every column, one per line, UTF-8
//   draws.npy      S x K x W float32: draws of the topics, if any were kept (topic_draws.hpp)
//   draw_shares.npy  S x K float64: shares of the topics in each, where they are known
//   manifest.json  every resolved option, seed, versions, instruction set, fingerprints, times, and
//                  why training stopped; sizes and checksums of the files above, and its own;
//                  written last: a folder without it is no model
//   history.csv    step,docs,seconds,perplexity,perplexity_average and more columns after them
//   README.md      the model card
// Laws: what write_model is given is what ModelData::open gives, but for rounding of rows to float.
//   Every file is written under a temporary name, synced and renamed. Opening checks shapes,
//   checksums and that every row is a distribution: afterwards nothing is out of range. Draws are
//   checked where they are used, by TopicDraws::open. history.csv and README.md are for people, who
//   may add to them: they are not checked.
// Cost: one pass over each file. Memory: opening, the topics; writing, 16 rows of topics.npy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lda/engine/exchange/topic_groups.hpp"
#include "lda/engine/topics.hpp"
#include "tain/lda/record.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Puts into the facts what they say of a corpus, but for the documents held out.
void describe_corpus(const Corpus& corpus, ModelFacts& facts);

/// Draws of topics; views.
struct DrawFiles {
  std::vector<std::span<const float>> draws;  ///< K x W each, rows sum to 1
  std::vector<std::uint64_t> documents;       ///< one per draw
  std::vector<double> shares;                 ///< draws x topics; empty where they are not known
};

struct ModelFiles {
  ModelFacts facts;  ///< documents of draws are those of `draws`
  std::span<const std::string> vocabulary;
  TopicSource topics;     ///< mean phi
  TopicSource last_draw;  ///< the last phi
  /// Rows of `topics` are probabilities already, not to be divided by their sums, which are 1
  /// within 1e-6: so topics.npy has the bits that ModelData has.
  bool published = false;
  std::span<const float> dual = {};  ///< in place of `last_draw`: dual.npy as it is
  DrawFiles draws = {};
  std::string details;  ///< a JSON object, joined to the manifest: options, times, versions;
                        ///< keys that the facts have too are theirs
  std::string history;  ///< bytes of history.csv
  std::string card;     ///< bytes of README.md
};

/// What begins so in a folder without manifest is a training that goes on or was stopped.
inline constexpr std::string_view checkpoint_prefix = "checkpoint";

/// The folder must exist. Rows of topics need not sum to 1: they are divided by their sums. Where
/// topics are divided among ranks, all of them call this; rank 0 writes, of whose files this is.
/// Throws Error (cannot_create, io), and (data) for a row that has no sum.
void write_model(const std::filesystem::path& folder, const ModelFiles& files);

/// What a model in use is made of.
class ModelData {
 public:
  /// In memory. `topics`: as topics_of_rows gives them. `manifest`: details, as in ModelFiles.
  ModelData(ModelFacts facts, std::vector<std::string> vocabulary, TopicWeights topics,
            std::string manifest, std::string history);
  /// Throws Error: no_input, or data with what is wrong with which file, or that training has not
  /// finished.
  static ModelData open(const std::filesystem::path& folder);

  const ModelFacts& facts() const { return facts_; }
  /// Rows as in topics.npy, word-major, inverse sums near 1.
  const TopicWeights& topics() const { return topics_; }
  /// Of topics.npy.
  std::vector<float> row(std::uint32_t topic) const;
  std::span<const std::string> vocabulary() const { return vocabulary_; }
  /// The whole manifest as JSON text.
  const std::string& manifest() const { return manifest_; }
  /// Bytes of history.csv.
  const std::string& history() const { return history_; }
  /// Empty in memory.
  const std::filesystem::path& folder() const { return folder_; }
  /// dual.npy of the folder. Throws Error as open().
  std::vector<float> read_dual() const;

 private:
  std::filesystem::path folder_;
  ModelFacts facts_;
  TopicWeights topics_;
  std::vector<std::string> vocabulary_;
  std::string manifest_, history_;
};

/// Topics as in topics.npy, one row per topic, rows divided by their sums: the same bits.
/// Collective; empty but on rank 0.
std::vector<float> published_rows(const TopicSource& source, std::uint32_t topics);
/// dual.npy in the same way.
std::vector<float> dual_rows(const TopicSource& last_draw, std::uint32_t topics);
/// What a model with these rows in its topics.npy has: the same bits. `refuse` is told of a row
/// that is no distribution.
TopicWeights topics_of_rows(std::span<const std::byte> rows, std::uint32_t topics,
                            std::uint32_t words,
                            const std::function<void(const std::string& problem)>& refuse);

/// The corpus that the model was trained on, if it is where it was and what it was.
std::optional<Corpus> recorded_corpus(const ModelData& model);

}  // namespace tain
