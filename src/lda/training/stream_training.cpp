#include "lda/training/stream_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/names.hpp"
#include "lda/engine/topic_average.hpp"
#include "lda/engine/topic_steps.hpp"
#include "lda/training/train_plan.hpp"
#include "lda/training/training.hpp"
#include "lda/training/waiting_documents.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::string_view stream_format = "tain topic stream 1";
constexpr const char* state_name = "state of a stream";
/// A batch is this part of the documents before it, within bounds: a step then forgets little.
constexpr std::uint64_t batches_behind = 50;
constexpr std::uint64_t least_batch = 20;
constexpr std::uint64_t first_per_topic = 10;
constexpr std::uint64_t most_first = 10'000;  // nothing is learned while documents wait
constexpr std::uint64_t most_seen = std::uint64_t{1} << 48;  // one more still takes a time

void require(const StreamPlan& plan) {
  const auto refuse = [](const char* what, const std::string& problem, const std::string& remedy) {
    fail(Fault::config, what, problem, remedy);
  };
  if (const TopicMethod* method = find_topic_method(plan.method); !method || !method->one_rate) {
    refuse("method", fmt::format("{} has no step size that is a time", plan.method),
           fmt::format("streams take {}", one_of(topic_methods(&TopicMethod::one_rate))));
  }
  if (plan.batch == 0 || plan.first == 0 || plan.total_documents == 0) {
    refuse("stream", "has batches, a start or a total of 0 documents", "take at least one");
  }
  if (!(plan.forgetting > 0) || !std::isfinite(plan.forgetting)) {
    refuse("forgetting", fmt::format("{} is not a positive number", plan.forgetting),
           "6 suits most");
  }
  if (plan.sweeps_burn_in >= plan.sweeps) {
    refuse("sweeps", fmt::format("{} of {} are not counted", plan.sweeps_burn_in, plan.sweeps),
           "count at least one");
  }
}

void archive_number(Archive& a, std::uint32_t& number) {
  std::uint64_t wide = number;
  a.field(wide);
  a.require(wide <= std::numeric_limits<std::uint32_t>::max(), "has a count that is none");
  number = static_cast<std::uint32_t>(wide);
}

void archive_plan(Archive& a, StreamPlan& plan) {
  a.field(plan.method);
  archive_number(a, plan.topics);
  a.field(plan.alpha);
  a.field(plan.eta);
  a.field(plan.total_documents);
  a.field(plan.first);
  archive_number(a, plan.batch);
  a.field(plan.forgetting);
  a.field(plan.descent);
  archive_number(a, plan.sweeps);
  archive_number(a, plan.sweeps_burn_in);
  a.field(plan.seed);
}

}  // namespace

StreamPlan stream_plan(std::uint32_t topics) {
  StreamPlan plan;
  plan.topics = topics;
  plan.alpha = prior_topics / std::max(1U, topics);
  plan.first = std::clamp<std::uint64_t>(first_per_topic * topics, 1, most_first);
  return plan;
}

struct StreamTraining::State {
  State(std::uint32_t number_of_words, const StreamPlan& chosen)
      : plan((require(chosen), chosen)),
        words(number_of_words),
        steps(plan.method,
              {.topics = plan.topics, .words = words, .eta = plan.eta, .seed = plan.seed},
              plan.alpha),
        average(plan.topics, words) {}

  std::uint64_t seen() const { return steps.documents_seen(); }
  /// Documents of the next batch.
  std::uint64_t due() const {
    const std::uint64_t least = std::min<std::uint64_t>(least_batch, plan.batch);
    return std::clamp<std::uint64_t>(seen() / batches_behind, least, plan.batch);
  }
  /// Steps while there are batches that are full, or documents if the stream has `ended`.
  enum class Stream { goes_on, ended };
  bool advance(Stream stream, Threads& threads, const std::function<Next()>& observer);
  void start(Threads& threads);
  void step(std::uint64_t count, Threads& threads);
  void draw(std::uint64_t count, double scale, double time, Threads& threads);
  StreamTopics published(Threads& threads) const;
  void archive(Archive& a);

  StreamPlan plan;
  std::uint32_t words;
  TopicSteps steps;
  TopicAverage average;
  WaitingDocuments waiting;
  std::uint64_t without_words = 0;
  std::vector<DocumentWords> batch;
  TokenBatch tokens;
  TopicCounts counts;
};

bool StreamTraining::State::advance(Stream stream, Threads& threads,
                                    const std::function<Next()>& observer) {
  const auto left = [&] { return waiting.documents(); };
  if (seen() == 0) {
    if (left() < (stream == Stream::ended ? 1 : std::max(plan.first, due()))) {
      return true;
    }
    start(threads);
  }
  while (left() >= (stream == Stream::ended ? 1 : due())) {
    step(std::min(due(), left()), threads);
    if (observer() == Next::stop) {
      return false;
    }
  }
  return true;
}

void StreamTraining::State::start(Threads& threads) {
  const Corpus corpus = waiting.corpus(std::min(plan.first, waiting.documents()), words);
  std::vector<std::uint32_t> all(corpus.documents());
  for (std::uint32_t d = 0; d < all.size(); ++d) {
    all[d] = d;
  }
  topics_from_documents(corpus, all, plan.eta, NoiseField(plan.seed), threads,
                        steps.sampler().first_weights());
}

void StreamTraining::State::step(std::uint64_t count, Threads& threads) {
  const auto before = static_cast<double>(seen()), first = static_cast<double>(plan.first);
  const double after = before + static_cast<double>(count);
  const double time = plan.forgetting * std::log((after + first) / (before + first));
  const double scale =
      std::min(std::max(after, first), static_cast<double>(plan.total_documents)) / double(count);
  batch.clear();
  for (std::uint64_t d = 0; d < count; ++d) {
    batch.push_back(waiting.document(d));
  }
  if (seen() < plan.descent) {
    steps.descend({.documents = batch}, scale, -std::expm1(-time), threads);
  } else {
    draw(count, scale, time, threads);
  }
  waiting.drop(count);
  steps.end_batch(count);
}

void StreamTraining::State::draw(std::uint64_t count, double scale, double time, Threads& threads) {
  if (steps.updates() == 0) {
    steps.sampler().take_weights(threads);
  }
  tokens.clear();
  for (std::uint64_t d = 0; d < count; ++d) {
    tokens.add(static_cast<std::uint32_t>(seen() + d), batch[d]);
  }
  steps.draw(tokens.documents(), {.sweeps = plan.sweeps, .burn_in = plan.sweeps_burn_in}, &counts,
             threads);
  steps.sample(counts, scale, time, threads);
  average.add(steps.topics(), threads);
}

StreamTopics StreamTraining::State::published(Threads& threads) const {
  StreamTopics published{TopicWeights(plan.topics, words), std::vector<double>(plan.topics)};
  if (average.draws() > 0) {
    std::ranges::copy(average.mean().flat(), published.topics.weights().flat().begin());
  } else {
    const FloatBlockStorage phi = topic_probabilities(steps.topics(), threads);
    std::ranges::copy(phi.view().flat(), published.topics.weights().flat().begin());
  }
  published.topics.sum(threads);
  for (std::size_t k = 0; k < plan.topics; ++k) {
    published.masses[k] = 1 / static_cast<double>(steps.topics().inverse_sums()[k]);
  }
  return published;
}

void StreamTraining::State::archive(Archive& a) {
  steps.archive(a);
  average.archive(a);
  a.require(seen() <= most_seen && average.draws() <= steps.steps(),
            "counts documents that no stream has");
  a.field(without_words);
  waiting.archive(a, words);
}

StreamTraining::StreamTraining(std::uint32_t words, const StreamPlan& plan)
    : state_(std::make_unique<State>(words, plan)) {}
StreamTraining::~StreamTraining() = default;
StreamTraining::StreamTraining(StreamTraining&&) noexcept = default;
StreamTraining& StreamTraining::operator=(StreamTraining&&) noexcept = default;

std::uint64_t StreamTraining::documents() const {
  return state_->seen() + state_->waiting.documents() + state_->without_words;
}
std::uint64_t StreamTraining::steps() const { return state_->steps.steps(); }
std::uint32_t StreamTraining::words() const { return state_->words; }
const StreamPlan& StreamTraining::plan() const { return state_->plan; }
std::span<const float> StreamTraining::alpha() const { return state_->steps.alpha(); }

bool StreamTraining::add(const Corpus& corpus, Threads& threads, const StreamObserver& observer) {
  if (corpus.words() != state_->words) {
    fail(Fault::data, corpus.name(),
         fmt::format("has {} words, the stream has {}", corpus.words(), state_->words),
         "give documents of the same vocabulary");
  }
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const DocumentWords words = corpus.document(d);
    if (words.ids.empty()) {
      ++state_->without_words;
      continue;
    }
    state_->waiting.add(words);
    const auto ask = [&] { return observer ? observer(d + 1) : Next::go_on; };
    if (!state_->advance(State::Stream::goes_on, threads, ask)) {
      return false;
    }
  }
  return true;
}

std::vector<double> StreamTopics::shares() const {
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  std::vector<double> shares;
  for (const double mass : masses) {
    shares.push_back(mass / total);
  }
  return shares;
}

StreamTopics StreamTraining::topics(Threads& threads) const {
  if (state_->waiting.documents() == 0) {
    if (state_->seen() == 0) {
      fail(Fault::data, "stream", "had no document with words", "add some");
    }
    return state_->published(threads);
  }
  Archive now;
  state_->archive(now);
  State copy(state_->words, state_->plan);
  Archive then(now.finish(), state_name);
  copy.archive(then);
  copy.advance(State::Stream::ended, threads, [] { return Next::go_on; });
  return copy.published(threads);
}

std::string StreamTraining::save() const {
  Archive a;
  std::string name(stream_format);
  a.field(name);
  archive_number(a, state_->words);
  archive_plan(a, state_->plan);
  state_->archive(a);
  return a.finish();
}

StreamTraining StreamTraining::restore(std::string_view bytes) {
  Archive a(std::string(bytes), state_name);
  std::string name;
  a.field(name);
  if (name != stream_format) {
    fail(Fault::data, state_name, "is of another version of the program", "train anew");
  }
  std::uint32_t words = 0;
  StreamPlan plan;
  archive_number(a, words);
  archive_plan(a, plan);
  // The topics are in it: before any memory is taken for them.
  a.require(plan.topics <= most_topics &&
                padded_topics(plan.topics) * sizeof(float) * std::uint64_t{words} <= a.left(),
            "ends too early");
  a.require(plan.batch <= most_counted && plan.sweeps <= most_counted && plan.alpha > 0 &&
                std::isfinite(plan.alpha) && plan.first <= most_counted &&
                plan.forgetting >= 1e-6 && plan.forgetting <= 1e6,
            "has a plan that no stream has");
  StreamTraining training(words, plan);
  training.state_->archive(a);
  a.expect_end();
  if (training.state_->seen() > 0) {  // before its start a stream has no topics
    Threads threads(1);
    training.state_->steps.require_consistent(a, threads);
  }
  return training;
}

}  // namespace tain
