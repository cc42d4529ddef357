// Topics of a stream as a model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/archive.hpp"
#include "core/fields.hpp"
#include "core/parallel.hpp"
#include "core/sizes.hpp"
#include "core/version.hpp"
#include "lda/model/model_state.hpp"
#include "lda/training/kept_draws.hpp"
#include "lda/training/train_plan.hpp"
#include "sampling/verdict_json.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Options that say nothing to a stream are refused.
class StreamFields final : public NothingGiven {
 public:
  using NothingGiven::choice;
  using NothingGiven::field;
  void field(std::string_view name, Numbers& value) override { look(name, value.given()); }
  void field(std::string_view name, std::optional<bool>& value) override {
    look(name, value.value_or(false));
  }
  void field(std::string_view name, std::optional<std::uint64_t>& value) override {
    look(name, value.has_value());
  }
  void field(std::string_view name, std::optional<double>& value) override {
    look(name, value.has_value());
  }
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t& value) override {
    look(name, value < words.size() && words[value] != "auto");
  }

 private:
  static void look(std::string_view name, bool given) {
    constexpr std::array<std::string_view, 11> meant{
        "topics", "alpha",      "eta",  "method",  "descent",           "batch",
        "sweeps", "keep_draws", "seed", "threads", "checkpoint_seconds"};
    if (given && std::ranges::find(meant, name) == meant.end()) {
      fail(Fault::config, Field{std::string(name)}, "has no meaning for a stream", "leave it out");
    }
  }
};

StreamPlan plan_of(TrainPlan plan, std::uint64_t total_documents) {
  StreamFields fields;
  plan.describe(fields);
  for (const auto& [name, given] : {std::pair("output", !plan.output.empty()),
                                    std::pair("checkpoint", !plan.checkpoint.empty())}) {
    if (given) {
      fail(Fault::config, Field{name}, "has no meaning for a stream", "save its model");
    }
  }
  return stream_plan(plan, total_documents);
}

std::string card_of(const ModelFacts& facts, std::string_view command) {
  return fmt::format(
      "# {0}: topics of a stream\n\nLatent Dirichlet allocation of {1} documents, each seen once, "
      "by {2} (seed {3}).\n\n{4}## Use\n\n"
      "    tain lda report {0} -o topics.html  a page to explore the topics\n"
      "    tain lda topics {0}                 words, weights and coherence of the topics\n"
      "    tain lda infer {0} texts.tsv        topic proportions of new texts\n"
      "    tain lda evaluate {0} CORPUS        perplexity on other documents\n",
      name_mark, grouped(facts.documents_seen), facts.method, facts.seed,
      command.empty() ? std::string() : fmt::format("- made by `{}`\n\n", command));
}

ModelFacts facts_of(const StreamTraining& stream) {
  ModelFacts facts;
  facts.method = stream.plan().method;
  facts.seed = stream.plan().seed;
  facts.eta = stream.plan().eta;
  facts.alpha.assign(stream.alpha().begin(), stream.alpha().end());
  facts.corpus_documents = facts.documents_seen = stream.documents();
  facts.steps = stream.steps();
  facts.draws_kept = 1;
  facts.corpus_folder = "memory";
  return facts;
}

/// Documents that nobody held out tell nothing of how well topics predict.
Verdict verdict_of_stream() {
  return {.trust = false,
          .lines = {{false,
                     "No document of a stream is held out; ask perplexity of documents that it has "
                     "not seen."}},
          .headline = "Do not trust these topics yet: nothing tells how well they predict."};
}

TopicDraws draws_of(const StreamTopics& found, const ModelFacts& facts, std::size_t thread_count) {
  Threads threads(thread_count);
  const std::uint32_t topics = found.topics.topics(), words = found.topics.words();
  const auto count = static_cast<std::uint32_t>(facts.draw_documents.size());
  std::vector<float> draws;
  draws.reserve(std::size_t{count} * topics * words);
  for (std::uint32_t number = 0; number < count; ++number) {
    const TopicWeights draw = draw_topics(found, facts.seed, number, threads);
    const std::vector<float> values = published_rows(draw.weights(), topics);
    draws.insert(draws.end(), values.begin(), values.end());
  }
  return {std::move(draws), topics, words, facts.draw_documents, std::vector<double>()};
}

constexpr std::string_view stream_name = "the state of a stream", stream_format = "tain topics 1";

/// Of the plan, what the training itself does not keep.
void archive_plan(Archive& a, TrainPlan& plan) {
  std::uint64_t draws = plan.keep_draws ? *plan.keep_draws + 1 : 0, threads = plan.threads;
  a.field(draws);
  a.field(threads);
  a.field(plan.command);
  a.require(draws <= most_kept_draws + 1 && threads <= most_threads,
            "has a plan that no stream has");
  plan.keep_draws = draws > 0 ? std::optional(draws - 1) : std::nullopt;
  plan.threads = threads;
}

void archive_words(Archive& a, std::vector<std::string>& words) {
  std::uint64_t count = words.size();
  a.field(count);
  for (std::uint64_t w = 0; w < count; ++w) {
    if (a.reading()) {
      words.emplace_back();
    }
    a.field(words[w]);
    a.require(words[w].find('\n') == std::string::npos, "has words of several lines");
  }
}

}  // namespace

struct TopicStream::State {
  std::vector<std::string> vocabulary;
  TrainPlan plan;
  StreamTraining stream;
};

TopicStream::TopicStream(std::vector<std::string> vocabulary, const TrainPlan& plan,
                         std::uint64_t total_documents) {
  const auto words = static_cast<std::uint32_t>(vocabulary.size());
  state_ = std::make_shared<State>(
      State{std::move(vocabulary), plan, StreamTraining(words, plan_of(plan, total_documents))});
}

bool TopicStream::add(const Corpus& corpus, const std::function<Next(std::uint64_t)>& progress) {
  if (!std::ranges::equal(corpus.vocabulary(), state_->vocabulary)) {
    fail(Fault::data, corpus.name(), "has other words than the stream",
         "give corpora of one vocabulary");
  }
  Threads threads(state_->plan.threads);
  return state_->stream.add(corpus, threads, progress);
}

std::uint64_t TopicStream::documents() const { return state_->stream.documents(); }

std::uint64_t TopicStream::steps() const { return state_->stream.steps(); }

Model TopicStream::model() const {
  const auto& [vocabulary, plan, stream] = *state_;
  Threads threads(plan.threads);
  const auto found = std::make_shared<const StreamTopics>(stream.topics(threads));
  const std::uint32_t topics = stream.plan().topics, words = stream.words();
  const std::vector<float> rows = published_rows(found->topics.weights(), topics);
  ModelFacts facts = facts_of(stream);
  facts.draw_documents.assign(plan.keep_draws.value_or(usual_kept_draws(topics, words)),
                              stream.documents());
  const MakeDraws draws = [found, facts, thread_count = plan.threads] {
    return facts.draw_documents.empty() ? std::nullopt
                                        : std::optional(draws_of(*found, facts, thread_count));
  };
  const nlohmann::ordered_json details{{"tain", version_number()},
                                       {"command", plan.command},
                                       {"passes", 1},
                                       {"stop_reason", "end of the stream"},
                                       {"shares", found->shares()},
                                       {"verdict", verdict_json(verdict_of_stream())}};
  std::string card = card_of(facts, plan.command);
  return model_of(std::move(facts), vocabulary,
                  topics_of_rows(std::as_bytes(std::span(rows)), topics, words,
                                 [](const std::string& problem) {
                                   fail(Fault::internal, "topics", problem, "please report it");
                                 }),
                  dual_rows(found->topics.weights(), topics), draws,
                  {details.dump(), std::string(), std::move(card)});
}

std::string TopicStream::save() const {
  Archive a;
  std::string format(stream_format), training = state_->stream.save();
  a.field(format);
  archive_plan(a, state_->plan);
  archive_words(a, state_->vocabulary);
  a.field(training);
  return a.finish();
}

TopicStream TopicStream::restore(std::string_view bytes) {
  Archive a{std::string(bytes), std::string(stream_name)};
  std::string format, training;
  a.field(format);
  if (format != stream_format) {
    fail(Fault::data, stream_name, "is of another version of the library", "train anew");
  }
  TrainPlan plan;
  std::vector<std::string> vocabulary;
  archive_plan(a, plan);
  archive_words(a, vocabulary);
  a.field(training);
  a.expect_end();
  StreamTraining stream = StreamTraining::restore(training);
  a.require(vocabulary.size() == stream.words(), "has other words than its topics");
  return TopicStream(
      std::make_shared<State>(State{std::move(vocabulary), std::move(plan), std::move(stream)}));
}

}  // namespace tain
