#include "tain/lda/topic_steps.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"
#include "tain/lda/kept_topics.hpp"

namespace tain {

TopicSteps::TopicSteps(std::string_view method, const TopicSamplerOptions& options, double alpha)
    : alpha_(options.topics, static_cast<float>(alpha)),
      sampler_(make_topic_sampler(method, options)),
      descent_(sampler_->first_weights(), {.eta = options.eta}),
      gibbs_(sampler_->weights(), alpha_, NoiseField(options.seed)),
      alpha_fit_(options.topics) {}

void TopicSteps::descend(std::span<const DocumentWords> documents, double scale, double rate,
                         Threads& threads) {
  require_sound(descent_.step(documents, alpha_, scale, rate, threads));
}

void TopicSteps::draw(std::span<const GibbsDocument> documents, const GibbsPlan& plan,
                      TopicCounts* counts, Threads& threads) {
  gibbs_.run(documents, plan, steps_, threads, {.counts = counts, .documents = {}});
  for (const GibbsDocument& document : documents) {
    tokens_drawn_ += document.words.size() * plan.sweeps;
  }
}

void TopicSteps::fit_alpha(std::span<const GibbsDocument> documents) {
  for (const GibbsDocument& document : documents) {
    alpha_fit_.add(document.last, alpha_);
  }
  alpha_fit_.update(alpha_);
  gibbs_.take_alpha(alpha_);
}

void TopicSteps::sample(const TopicCounts& counts, double scale, double step_size,
                        Threads& threads) {
  require_sound(sampler_->advance(counts, scale, steps_, step_size, threads));
  ++updates_;
}

void TopicSteps::end_batch(std::uint64_t documents) {
  seen_ += documents;
  ++steps_;
}

void TopicSteps::require_sound(const std::optional<TopicFailure>& failure) const {
  if (failure) {
    fail(Fault::data, fmt::format("step {}", steps_),
         fmt::format("the weights of topic {} sum to {}", failure->topic + 1, failure->sum),
         "take a smaller --step-size; the last checkpoint is intact");
  }
}

void TopicSteps::archive(Archive& a) {
  a.field(steps_);
  a.field(seen_);
  a.field(updates_);
  a.field(tokens_drawn_);
  a.field(std::span(alpha_));
  for (const TopicArray& array : sampler_->state()) {
    a.field(array.values.flat());
  }
  alpha_fit_.archive(a);
  if (a.reading()) {
    gibbs_.take_alpha(alpha_);
  }
}

void TokenBatch::clear() { documents_.clear(); }

void TokenBatch::add(std::uint32_t number, const DocumentWords& words) {
  const std::size_t place = documents_.size();
  if (expanded_.size() == place) {
    expanded_.emplace_back();
  }
  documents_.push_back({.number = number, .words = document_tokens(words, expanded_[place])});
}

void TokenBatch::place_topics() {
  std::size_t tokens = 0;
  for (const GibbsDocument& document : documents_) {
    tokens += document.words.size();
  }
  topics_.resize(tokens);
  std::size_t place = 0;
  for (GibbsDocument& document : documents_) {
    document.last = std::span(topics_).subspan(place, document.words.size());
    place += document.words.size();
  }
}

}  // namespace tain
