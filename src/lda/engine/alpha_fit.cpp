#include "lda/engine/alpha_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/special.hpp"

namespace tain {
namespace {

constexpr double least_alpha = 1e-4, most_alpha = 1e4;
constexpr double forgetting = 0.6;

double rise(double count, double alpha) { return digamma(count + alpha) - digamma(alpha); }

}  // namespace

AlphaFit::AlphaFit(std::uint32_t topics)
    : batch_(1 + 2 * (std::size_t{topics} + 1), 0), topics_(topics, 0.0), counts_(topics, 0) {}

// Values are below 1 / least_alpha + log of a count: 14 bits above the point.
void AlphaFit::add(std::size_t sum, double value) {
  const auto units = static_cast<std::uint64_t>(std::llround(value * 0x1p32));
  batch_[1 + 2 * sum] += units & 0xFFFFFFFF;
  batch_[2 + 2 * sum] += units >> 32;
}

double AlphaFit::mean(std::size_t sum) const {
  const double total =
      static_cast<double>(batch_[2 + 2 * sum]) + static_cast<double>(batch_[1 + 2 * sum]) * 0x1p-32;
  return total / static_cast<double>(batch_[0]);
}

void AlphaFit::add(std::span<const std::uint16_t> topics, std::span<const float> alpha) {
  if (topics.empty()) {
    return;
  }
  std::ranges::fill(counts_, 0U);
  for (const std::uint16_t topic : topics) {
    ++counts_[topic];
  }
  add(std::size_t{0},
      rise(static_cast<double>(topics.size()), std::accumulate(alpha.begin(), alpha.end(), 0.0)));
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (counts_[k] > 0) {
      add(k + 1, rise(counts_[k], double(alpha[k])));
    }
  }
  ++batch_[0];
}

void AlphaFit::update(std::span<float> alpha) {
  Alone alone;
  update(alpha, alone);
}

void AlphaFit::update(std::span<float> alpha, Comm& ranks) {
  ranks.sum(batch_);
  if (batch_[0] == 0) {
    return;
  }
  const double weight = std::pow(static_cast<double>(batches_ + 1), -forgetting);
  lengths_ += weight * (mean(0) - lengths_);
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    topics_[k] += weight * (mean(k + 1) - topics_[k]);
    const double moved = double(alpha[k]) * topics_[k] / lengths_;
    alpha[k] = static_cast<float>(std::clamp(moved, least_alpha, most_alpha));
  }
  std::ranges::fill(batch_, std::uint64_t{0});
  ++batches_;
}

void AlphaFit::archive(Archive& a) {
  a.field(batches_);
  a.field(lengths_);
  a.field(std::span(topics_));
  const auto is_mean = [](double mean) { return mean >= 0 && std::isfinite(mean); };
  a.require(
      is_mean(lengths_) && (batches_ == 0 || lengths_ > 0) && std::ranges::all_of(topics_, is_mean),
      "has learned weights alpha from no documents that can be");
}

}  // namespace tain
