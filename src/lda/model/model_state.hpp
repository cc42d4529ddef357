// What a model is made of, behind tain/lda/model.hpp.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lda/model/model_data.hpp"
#include "lda/model/topic_draws.hpp"
#include "lda/model/topic_words.hpp"
#include "tain/lda/model.hpp"

namespace tain {

/// In a card, where the name of its folder belongs.
inline constexpr std::string_view name_mark = "\x1a";
/// The card of this folder.
std::string with_name(std::string card, const std::filesystem::path& folder);

/// Of a model in memory, beside its topics.
struct ModelTexts {
  std::string details;  ///< as in ModelFiles
  std::string history;  ///< bytes of history.csv
  std::string card;     ///< README.md, with `name_mark`
};

/// Draws that are made when they are first asked for.
using MakeDraws = std::function<std::optional<TopicDraws>()>;

struct Model::State {
  std::filesystem::path folder = {};  ///< empty: in memory
  TrainRecord record = {};
  bool finished = true;
  std::vector<std::string> vocabulary = {};
  /// The most probable words of every topic, where training found them; else the topics tell.
  std::vector<std::vector<std::uint32_t>> top_words = {};
  std::string card = {};         ///< in memory
  std::vector<float> dual = {};  ///< in memory

  /// Opened when they are first asked for: topics that ranks share may be more than one has room
  /// for. Throws Error (no_input) of a training that was stopped.
  const ModelData& data() const;
  /// Null if there are none.
  const TopicDraws* draws() const;

  mutable std::mutex lock = {};
  mutable std::optional<ModelData> loaded = {};
  mutable std::optional<TopicDraws> loaded_draws = {};
  mutable bool draws_known = false;
  MakeDraws make_draws = {};  ///< in memory; null: there are none
};

/// A model in memory. `dual`: as dual.npy.
Model model_of(ModelFacts facts, std::vector<std::string> vocabulary, TopicWeights topics,
               std::vector<float> dual, MakeDraws draws, ModelTexts texts);

/// What a manifest, or its details, and history.csv tell.
TrainRecord read_record(const ModelFacts& facts, const std::string& manifest,
                        std::string_view history);
/// For texts where a vocabulary has the words.
std::vector<TopicWord> named_words(const TopicWords& words, std::uint32_t topic, std::size_t count,
                                   double lambda, std::span<const std::string> vocabulary);
/// Throw Error (config).
void require_topic(std::uint32_t topic, std::uint32_t topics);
void require_lambda(double lambda);

/// Topics by falling share.
std::vector<std::uint32_t> topics_by_share(std::span<const double> shares);
/// Words of a topic that training reports.
inline constexpr std::size_t reported_words = 12;
/// "1 pass", "4.07 passes".
std::string passes_text(double passes);
/// "stopped by passes", "interrupted", "end of the stream".
std::string stop_text(std::string_view reason);

/// The function, or one that goes on.
inline WorkWatch watch_or_go_on(const WorkWatch& watch) {
  return watch ? watch : [](const WorkProgress&) { return Next::go_on; };
}

}  // namespace tain
