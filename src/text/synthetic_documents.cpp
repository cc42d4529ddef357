#include "text/synthetic_documents.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tain::text {
namespace {

// Samplers may run with the corpus's seed: another key, so that they share no noise with it.
constexpr std::uint64_t key_of_corpora = 0x7379'6E74'6865'7469;
constexpr Purpose purpose = Purpose::direct;
// Token i of document d is at chain i, step d; chains beyond any length hold the rest.
constexpr std::uint32_t chain_of_documents = 0xFFFF'FFFF;
constexpr std::uint32_t chain_of_topics = 0xFFFF'FFFE;

constexpr double mandelbrot_offset = 2.7;

/// Unnormalised base frequency of word w, counted from 0.
double base_frequency(BaseFrequencies base, std::uint32_t w) {
  return base == BaseFrequencies::zipf ? 1 / (w + 1 + mandelbrot_offset) : 1;
}

}  // namespace

void DirichletDraw::draw(const NoiseField& noise, const NoisePlace& place, std::span<float> row) {
  const Block cells(cells_.data(), cells_.size(), 1);
  log_gammas(noise, place, cells, cells);
  const double largest = *std::ranges::max_element(cells_);
  double sum = 0;
  for (double& value : cells_) {
    value = std::exp(value - largest);
    sum += value;
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = static_cast<float>(cells_[i] / sum);
  }
}

SyntheticModel::SyntheticModel(const SyntheticPlan& plan)
    : plan_(plan),
      noise_(plan.seed ^ key_of_corpora),
      base_sum_(0),
      topics_(std::size_t{plan.topics} * plan.vocab_size) {
  for (std::uint32_t w = 0; w < plan.vocab_size; ++w) {
    base_sum_ += base_frequency(plan.base, w);
  }
}

void SyntheticModel::draw_topic(std::uint32_t k, std::span<float> row) {
  const double scale = plan_.eta * plan_.vocab_size / base_sum_;
  DirichletDraw().draw(noise_, {purpose, k, chain_of_topics}, row, [&](std::size_t w) {
    return scale * base_frequency(plan_.base, static_cast<std::uint32_t>(w));
  });
  AliasBuilder().build(
      row, std::span(topics_).subspan(std::size_t{k} * plan_.vocab_size, plan_.vocab_size));
}

/// Draws documents one after the other, with the buffers that takes.
class SyntheticModel::DocumentDraw {
 public:
  explicit DocumentDraw(const SyntheticModel& model)
      : model_(model), proportions_(model.plan_.topics), table_(model.plan_.topics) {}

  void draw(std::uint64_t d, DocumentBlock& block) {
    const SyntheticPlan& plan = model_.plan_;
    Stream stream(model_.noise_, purpose, d, chain_of_documents);
    const auto length = static_cast<std::uint32_t>(stream.poisson(plan.mean_length));
    dirichlet_.draw(model_.noise_, {purpose, d, chain_of_documents}, proportions_,
                    [&](std::size_t) { return plan.alpha; });
    builder_.build(proportions_, table_);
    if (plan.proportions) {
      block.proportions.insert(block.proportions.end(), proportions_.begin(), proportions_.end());
    }
    for (std::uint32_t i = 0; i < length; i += group) {
      draw_tokens(d, i, std::min(group, length - i), block.tokens);
    }
    block.ends.push_back(block.tokens.size());
  }

 private:
  static constexpr std::uint32_t group = 64;

  /// All columns of a group are asked for before the first is looked at: the tables of all topics
  /// are larger than any cache.
  void draw_tokens(std::uint64_t d, std::uint32_t first, std::uint32_t count,
                   std::vector<std::uint32_t>& tokens) const {
    const SyntheticPlan& plan = model_.plan_;
    std::array<const AliasColumn*, group> columns;
    std::array<std::uint32_t, group> column, within;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto words = model_.noise_.words(purpose, d, first + i, 0);
      const AliasPlace topic(words[0], words[1], plan.topics);
      const AliasPlace word(words[2], words[3], plan.vocab_size);
      columns[i] =
          &model_.topics_[std::size_t{topic.chosen(table_[topic.column])} * plan.vocab_size +
                          word.column];
      __builtin_prefetch(columns[i]);
      column[i] = word.column;
      within[i] = word.within;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      tokens.push_back(within[i] < columns[i]->threshold ? column[i] : columns[i]->alias);
    }
  }

  const SyntheticModel& model_;
  DirichletDraw dirichlet_;
  AliasBuilder builder_;
  std::vector<float> proportions_;
  std::vector<AliasColumn> table_;
};

void SyntheticModel::draw_documents(std::uint64_t first, std::uint64_t last,
                                    DocumentBlock& block) const {
  DocumentDraw document(*this);
  for (std::uint64_t d = first; d < last; ++d) {
    document.draw(d, block);
  }
}

}  // namespace tain::text
