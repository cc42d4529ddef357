#include "tain/lda/training.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tain/core/error.hpp"

namespace tain {
namespace {

TopicSamplerOptions sampler_options(const TrainingPlan& plan, std::uint32_t words) {
  return {.topics = plan.topics,
          .words = words,
          .eta = plan.eta,
          .seed = plan.seed,
          .warm_up = plan.warm_up,
          .approximation = plan.approximation,
          .floor = plan.floor};
}

/// Tokens of a bag by ascending word: their order does not matter to the law of their topics.
void expand(const DocumentWords& words, std::vector<std::uint32_t>& tokens) {
  tokens.clear();
  for (std::size_t i = 0; i < words.ids.size(); ++i) {
    tokens.insert(tokens.end(), words.counts[i], words.ids[i]);
  }
}

}  // namespace

double StepSchedule::at(std::uint64_t t) const {
  return a * std::pow(1 + static_cast<double>(t) / b, -c);
}

Training::Training(const Corpus& corpus, std::vector<std::uint32_t> documents,
                   const TrainingPlan& plan, Threads& threads)
    : corpus_(corpus),
      documents_(std::move(documents)),
      plan_(plan),
      threads_(threads),
      noise_(plan.seed),
      order_(noise_, documents_.size()),
      alpha_(plan.topics, static_cast<float>(plan.alpha)),
      sampler_(make_topic_sampler(plan.method, sampler_options(plan, corpus.words()))),
      gibbs_(sampler_->weights(), alpha_, noise_),
      batch_(plan.batch),
      expanded_(corpus.order() == Order::none ? plan.batch : 0) {
  sampler_->start(threads_);
}

void Training::gather_batch() {
  for (std::uint32_t i = 0; i < plan_.batch; ++i) {
    const std::uint32_t number = documents_[order_.at(steps_ * plan_.batch + i)];
    const DocumentWords words = corpus_.document(number);
    if (corpus_.order() == Order::none) {
      expand(words, expanded_[i]);
      batch_[i] = {.number = number, .words = expanded_[i]};
    } else {
      batch_[i] = {.number = number, .words = words.ids};
    }
    tokens_drawn_ += batch_[i].words.size() * plan_.sweeps;
  }
}

void Training::step() {
  gather_batch();
  gibbs_.run(batch_, {.sweeps = plan_.sweeps, .burn_in = plan_.burn_in}, steps_, threads_,
             {.counts = &counts_, .documents = {}});
  const double scale = static_cast<double>(documents_.size()) / plan_.batch;
  const std::optional<TopicFailure> failure =
      sampler_->advance(counts_, scale, steps_, plan_.step_size.at(steps_), threads_);
  if (failure) {
    fail(Fault::data, fmt::format("step {}", steps_),
         fmt::format("the weights of topic {} sum to {}", failure->topic + 1, failure->sum),
         "take a smaller --step-size; the last checkpoint is intact");
  }
  ++steps_;
}

void Training::archive(Archive& a) {
  a.field(steps_);
  a.field(tokens_drawn_);
  for (const TopicArray& array : sampler_->state()) {
    a.field(array.values.flat());
  }
}

}  // namespace tain
