#include "tain/lda/alpha_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tain/core/special.hpp"

namespace tain {
namespace {

constexpr double least_alpha = 1e-4, most_alpha = 1e4;
constexpr double forgetting = 0.6;

double rise(double count, double alpha) { return digamma(count + alpha) - digamma(alpha); }

}  // namespace

AlphaFit::AlphaFit(std::uint32_t topics)
    : batch_topics_(topics, 0.0), topics_(topics, 0.0), counts_(topics, 0) {}

void AlphaFit::add(std::span<const std::uint16_t> topics, std::span<const float> alpha) {
  if (topics.empty()) {
    return;
  }
  std::ranges::fill(counts_, 0U);
  for (const std::uint16_t topic : topics) {
    ++counts_[topic];
  }
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    if (counts_[k] > 0) {
      batch_topics_[k] += rise(counts_[k], double(alpha[k]));
    }
  }
  batch_lengths_ +=
      rise(static_cast<double>(topics.size()), std::accumulate(alpha.begin(), alpha.end(), 0.0));
  ++documents_;
}

void AlphaFit::update(std::span<float> alpha) {
  if (documents_ == 0) {
    return;
  }
  const double weight = std::pow(static_cast<double>(batches_ + 1), -forgetting);
  const auto blend = [&](double& mean, double& batch) {
    mean += weight * (batch / static_cast<double>(documents_) - mean);
    batch = 0;
  };
  blend(lengths_, batch_lengths_);
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    blend(topics_[k], batch_topics_[k]);
    const double moved = double(alpha[k]) * topics_[k] / lengths_;
    alpha[k] = static_cast<float>(std::clamp(moved, least_alpha, most_alpha));
  }
  documents_ = 0;
  ++batches_;
}

void AlphaFit::archive(Archive& a) {
  a.field(batches_);
  a.field(lengths_);
  a.field(std::span(topics_));
}

}  // namespace tain
