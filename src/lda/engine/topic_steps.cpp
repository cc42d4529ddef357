#include "lda/engine/topic_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lda/engine/kept_topics.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

std::optional<TopicRows> rows_of(const TopicSampler& sampler) {
  std::optional<TopicRows> rows;
  if (!sampler.sharding().whole()) {
    rows.emplace(sampler.weights(), sampler.sharding());
  }
  return rows;
}

}  // namespace

TopicSteps::TopicSteps(std::string_view method, const TopicSamplerOptions& options, double alpha)
    : TopicSteps(method, options, alpha, Sharding(options.words)) {}

TopicSteps::TopicSteps(std::string_view method, const TopicSamplerOptions& options, double alpha,
                       const Sharding& sharding)
    : alpha_(options.topics, static_cast<float>(alpha)),
      sampler_(make_topic_sampler(method, options, sharding)),
      rows_(rows_of(*sampler_)),
      descent_(sampler_->first_weights(), {.eta = options.eta}, sharding, rows()),
      gibbs_(rows_ ? rows_->table() : sampler_->weights(), alpha_, NoiseField(options.seed)),
      alpha_fit_(options.topics) {}

void TopicSteps::descend(const DescentBatch& batch, double scale, double rate, Threads& threads) {
  require_sound(descent_.step(batch, alpha_, scale, rate, threads));
}

void TopicSteps::draw(std::span<const GibbsDocument> documents, const GibbsPlan& plan,
                      TopicCounts* counts, Threads& threads) {
  gibbs_.run(documents, plan, steps_, threads, {.counts = counts, .documents = {}});
  if (sampler_->sharding().comm().alone()) {
    for (const GibbsDocument& document : documents) {
      tokens_drawn_ += document.words.size() * plan.sweeps;
    }
  }
}

void TopicSteps::add_to_alpha(std::span<const GibbsDocument> documents) {
  for (const GibbsDocument& document : documents) {
    alpha_fit_.add(document.last, alpha_);
  }
}

void TopicSteps::fit_alpha() {
  alpha_fit_.update(alpha_, sampler_->sharding().comm());
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
         Phrase("take a smaller ",
                Field{topic_method(sampler_->name()).remembers ? "step_size" : "eta"},
                "; the last checkpoint is intact"));
  }
}

void TopicSteps::archive(Archive& a) {
  archive_common(a);
  archive_words(a, sampler_->sharding().words());
}

void TopicSteps::archive_common(Archive& a) {
  a.field(steps_);
  a.field(seen_);
  a.field(updates_);
  a.field(tokens_drawn_);
  a.field(std::span(alpha_));
  for (const TopicArray& array : sampler_->state()) {
    if (array.rows == TopicArray::Rows::common) {
      a.field(array.values.flat());
    }
  }
  alpha_fit_.archive(a);
  if (a.reading()) {
    gibbs_.take_alpha(alpha_);
  }
}

void TopicSteps::archive_words(Archive& a, Range part) {
  const Range words = sampler_->sharding().words(), own = common(part, words);
  TAIN_EXPECTS(a.reading() || part == words, "a rank writes its own words");
  for (const TopicArray& array : sampler_->state()) {
    if (array.rows != TopicArray::Rows::words) {
      continue;
    }
    const std::uint64_t row = array.values.lanes() * sizeof(float);
    if (own.empty()) {
      a.skip(part.size() * row);
      continue;
    }
    a.skip((own.first - part.first) * row);
    a.field(array.values.slice(own.first - words.first, own.size()).flat());
    a.skip((part.end - own.end) * row);
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

void TokenBatch::renumber(const TopicRows& rows) {
  for (std::size_t i = 0; i < documents_.size(); ++i) {
    std::vector<std::uint32_t>& own = expanded_[i];
    if (documents_[i].words.data() != own.data()) {
      own.assign(documents_[i].words.begin(), documents_[i].words.end());
    }
    std::ranges::transform(own, own.begin(), [&](std::uint32_t word) { return rows.row(word); });
    documents_[i].words = own;
  }
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
