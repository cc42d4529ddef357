#include "tain/lda/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/file.hpp"
#include "lda/model/history.hpp"
#include "lda/model/model_folder.hpp"
#include "lda/model/model_state.hpp"
#include "lda/model/topic_shares.hpp"
#include "lda/model/topic_words.hpp"
#include "report/text.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

std::string perplexity_text(const Perplexity& perplexity) {
  return std::isfinite(perplexity.value)
             ? fmt::format("{:.1f} ± {:.1f}", perplexity.value, perplexity.standard_error)
             : "infinite";
}

DrawFiles draw_files(const TopicDraws* draws) {
  DrawFiles files;
  for (std::uint64_t s = 0; draws != nullptr && s < draws->draws(); ++s) {
    files.draws.push_back(draws->values(s));
    files.documents.push_back(draws->documents()[s]);
    const std::span<const double> shares = draws->shares(s);
    files.shares.insert(files.shares.end(), shares.begin(), shares.end());
  }
  return files;
}

std::string topics_text(const Model::State& model) {
  constexpr std::size_t topics_shown = 10, words_shown = 8;
  const std::vector<double>& shares = model.record.shares;
  const std::vector<std::uint32_t> order = topics_by_share(shares);
  const std::vector<std::vector<std::uint32_t>> words =
      model.top_words.empty()
          ? top_words(model.data().topics().weights(), model.data().topics().topics(), words_shown)
          : model.top_words;
  const std::size_t shown = std::min(order.size(), topics_shown);
  const std::string_view tokens = model.record.facts.held_out > 0 ? "tokens held out" : "tokens";
  std::string text = shown == order.size()
                         ? fmt::format("topics by share of the {}\n", tokens)
                         : fmt::format("the {} topics with the largest shares of the {}, of {}\n",
                                       shown, tokens, order.size());
  for (std::size_t i = 0; i < shown; ++i) {
    std::string line;
    const std::span<const std::uint32_t> top(words[order[i]]);
    for (const std::uint32_t word : top.first(std::min(top.size(), words_shown))) {
      line += fmt::format(" {}", model.vocabulary[word]);
    }
    text += fmt::format("{:5} {:5.1f} % {}\n", order[i] + 1, 100 * shares[order[i]], line);
  }
  return text;
}

}  // namespace

std::string with_name(std::string text, const fs::path& folder) {
  const std::string name = fs::absolute(folder).lexically_normal().filename().string();
  for (std::size_t at = 0; (at = text.find(name_mark, at)) != std::string::npos;
       at += name.size()) {
    text.replace(at, name_mark.size(), name);
  }
  return text;
}

std::string passes_text(double passes) {
  const std::string number = fmt::format("{:.3g}", passes);
  return number + (number == "1" ? " pass" : " passes");
}

std::string stop_text(std::string_view reason) {
  const bool rule = reason == "steps" || reason == "passes" || reason == "max-seconds";
  return fmt::format("{}{}", rule ? "stopped by " : "", reason);
}

std::vector<std::uint32_t> topics_by_share(std::span<const double> shares) {
  std::vector<std::uint32_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t topic) { return shares[topic]; });
  return order;
}

std::vector<TopicWord> named_words(const TopicWords& words, std::uint32_t topic, std::size_t count,
                                   double lambda, std::span<const std::string> vocabulary) {
  std::vector<TopicWord> named;
  for (const RankedWord& word : words.ranked(topic, count, lambda)) {
    named.push_back({vocabulary[word.word], word.probability, word.relevance});
  }
  return named;
}

void require_topic(std::uint32_t topic, std::uint32_t topics) {
  if (topic >= topics) {
    fail(Fault::config, Field{"topic"}, fmt::format("there is no topic {}", topic),
         fmt::format("give 0 to {}", topics - 1));
  }
}

void require_lambda(double lambda) {
  if (!(lambda >= 0 && lambda <= 1)) {
    fail(Fault::config, Field{"lambda"}, "is a weight from 0 to 1",
         "give 1 for the most probable words, 0.6 for more special ones");
  }
}

const ModelData& Model::State::data() const {
  const std::lock_guard hold(lock);
  if (!loaded) {
    if (!finished) {
      fail(Fault::no_input, folder.string(), "training has not finished",
           Phrase("go on with its training by ", Field{"resume", "true"}));
    }
    loaded = ModelData::open(folder);
  }
  return *loaded;
}

const TopicDraws* Model::State::draws() const {
  data();  // a training that was stopped has none
  const std::lock_guard hold(lock);
  if (!draws_known && !folder.empty()) {
    loaded_draws = TopicDraws::open(folder);
  } else if (!draws_known && make_draws) {
    loaded_draws = make_draws();
  }
  draws_known = true;
  return loaded_draws ? &*loaded_draws : nullptr;
}

Model model_of(ModelFacts facts, std::vector<std::string> vocabulary, TopicWeights topics,
               std::vector<float> dual, MakeDraws draws, ModelTexts texts) {
  const auto state = std::make_shared<Model::State>();
  state->vocabulary = vocabulary;
  state->record = read_record(facts, texts.details, texts.history);
  state->loaded.emplace(std::move(facts), std::move(vocabulary), std::move(topics),
                        std::move(texts.details), std::move(texts.history));
  state->make_draws = std::move(draws);
  state->card = std::move(texts.card);
  state->dual = std::move(dual);
  return Model(state);
}

Model Model::open(const fs::path& folder) {
  const auto state = std::make_shared<State>();
  state->folder = folder;
  state->loaded = ModelData::open(folder);
  const std::span<const std::string> words = state->loaded->vocabulary();
  state->vocabulary.assign(words.begin(), words.end());
  state->record =
      read_record(state->loaded->facts(), state->loaded->manifest(), state->loaded->history());
  return Model(state);
}

void Model::save(const fs::path& folder, Overwrite overwrite) const {
  const ModelData& data = state_->data();
  std::error_code ignored;
  if (!state_->folder.empty() && fs::equivalent(state_->folder, folder, ignored)) {
    fail(Fault::cannot_create, output_place(Field{"output"}, folder), "is the model itself",
         "choose another folder");
  }
  ModelFolder place(folder, overwrite);
  const fs::path card = state_->folder / "README.md";
  const std::vector<float> dual = state_->folder.empty() ? state_->dual : data.read_dual();
  ModelFiles files;
  files.facts = data.facts();
  files.vocabulary = data.vocabulary();
  files.topics = data.topics().weights();
  files.published = true;
  files.dual = dual;
  files.draws = draw_files(state_->draws());
  files.details = data.manifest();
  files.history = data.history();
  files.card = state_->folder.empty()      ? with_name(state_->card, folder_path(folder))
               : fs::exists(card, ignored) ? read_file(card, most_record_bytes)
                                           : std::string();
  write_model(place.draft(), files);
  place.replace_files();
  place.remove_checkpoint();
}

const fs::path& Model::folder() const { return state_->folder; }

bool Model::finished() const { return state_->finished; }

const TrainRecord& Model::record() const { return state_->record; }

std::uint32_t Model::topics() const {
  return static_cast<std::uint32_t>(state_->record.facts.alpha.size());
}

std::span<const std::string> Model::vocabulary() const { return state_->vocabulary; }

std::vector<float> Model::probabilities(std::uint32_t topic) const {
  require_topic(topic, topics());
  return state_->data().row(topic);
}

std::vector<TopicWord> Model::words(std::uint32_t topic, std::size_t count, double lambda) const {
  require_topic(topic, topics());
  require_lambda(lambda);
  const TopicShares shares = known_shares(state_->data(), state_->draws());
  return named_words(TopicWords(state_->data().topics(), shares.shares), topic, count, lambda,
                     state_->vocabulary);
}

std::string Model::text(const TextStyle& style) const {
  const TrainRecord& record = state_->record;
  const ModelFacts& facts = record.facts;
  std::string text = fmt::format(
      "model       {}\n"
      "documents   {} ({} held out), {}\n"
      "training    {}, {}, {} ({})\n",
      folder().empty() ? "in memory" : folder().string(),
      grouped(facts.corpus_documents - facts.held_out), grouped(facts.held_out),
      counted(vocabulary().size(), "word"), counted(facts.steps, "step"),
      passes_text(record.passes), duration(record.seconds), stop_text(record.stop_reason));
  if (record.perplexity && !record.history.empty()) {
    const Evaluation& last = record.history.back();
    text += fmt::format(
        "perplexity  {} averaged over {}\n"
        "            {} by topics.npy, the mean of {}\n"
        "            {} by the last draw\n",
        perplexity_text(last.average), counted(last.averaged, "evaluation"),
        perplexity_text(*record.perplexity), counted(facts.draws_kept, "draw"),
        perplexity_text(last.single));
  }
  if (finished() || folder().empty()) {
    text += "\n" + topics_text(*state_);
  }
  return text + "\n" + format_verdict(record.verdict, style);
}

}  // namespace tain
