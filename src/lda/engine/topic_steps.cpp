#include "lda/engine/topic_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lda/engine/kept_topics.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::uint64_t most_documents_seen = std::uint64_t{1} << 62;
constexpr float most_alpha = 1e30F;  // of a sum of them there is an inverse

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
  a.require(updates_ <= steps_ && steps_ <= seen_ && seen_ <= most_documents_seen,
            "counts steps that no training has taken");
  a.require(
      std::ranges::all_of(alpha_, [](float alpha) { return alpha > 0 && alpha <= most_alpha; }),
      "has weights alpha that are none");
  for (const TopicArray& array : sampler_->state()) {
    if (array.rows == TopicArray::Rows::common) {
      a.field(array.values.flat());
      require_possible(a, array, array.values);
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
    const FloatBlock rows = array.values.slice(own.first - words.first, own.size());
    a.field(rows.flat());
    require_possible(a, array, rows);
    a.skip((part.end - own.end) * row);
  }
}

void TopicSteps::require_possible(const Archive& a, const TopicArray& array,
                                  ConstFloatBlock rows) const {
  if (!a.reading()) {
    return;
  }
  const auto is_possible = [&](float value) {
    return std::isfinite(value) && (array.sign == TopicArray::Sign::any || value >= 0);
  };
  for (std::size_t w = 0; w < rows.rows(); ++w) {
    a.require(std::ranges::all_of(std::span(rows.row(w), alpha_.size()), is_possible),
              fmt::format("has {} that no topics have", array.name));
  }
}

void TopicSteps::require_consistent(const Archive& a, Threads& threads) {
  TopicWeights& weights = sampler_->first_weights();
  const ConstFloatBlock cells = weights.weights();
  const auto padded = [&](const float* row) {
    return std::all_of(row + alpha_.size(), row + cells.lanes(), [](float v) { return v == 0; });
  };
  a.require(padded(weights.inverse_sums().data()), "has sums of more topics than there are");
  for (std::size_t w = 0; w < cells.rows(); ++w) {
    a.require(padded(cells.row(w)), "has weights of more topics than there are");
  }
  const std::span<float> inverse = weights.inverse_sums();
  const std::vector<float> stored(inverse.begin(), inverse.end());
  weights.sum(threads, sampler_->sharding().shards());
  for (std::size_t k = 0; k < alpha_.size(); ++k) {
    // Rounded to float, in another order.
    constexpr float tolerance = 1e-4F;
    a.require(std::abs(stored[k] - inverse[k]) <= tolerance * inverse[k],
              "has weights of topics that do not sum to what it says");
  }
  std::ranges::copy(stored, inverse.begin());
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
