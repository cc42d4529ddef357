#include "tain/lda/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tain {

Predictive::Predictive(const HeldOut& held_out, const GibbsPlan& plan, const NoiseField& noise)
    : held_out_(held_out),
      plan_(plan),
      noise_(noise),
      last_(held_out.test_tokens(), 0.0),
      sums_(held_out.test_tokens(), 0.0) {}

void Predictive::evaluate(const TopicWeights& topics, std::span<const float> alpha,
                          std::uint64_t visit, Threads& threads) {
  const std::size_t count = held_out_.documents().size();
  std::vector<GibbsDocument> documents(count);
  for (std::size_t d = 0; d < count; ++d) {
    documents[d] = {.number = static_cast<std::uint32_t>(d), .words = held_out_.observed(d)};
  }
  BasicBlockStorage<std::uint32_t> assigned(count, topics.row_length());
  DocumentGibbs gibbs(topics, alpha, noise_);
  gibbs.run(documents, plan_, visit, threads, {.counts = nullptr, .documents = assigned.view()});
  const double kept = plan_.sweeps - plan_.burn_in;
  const double prior = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  threads.for_each(count, [&](std::size_t d) {
    const double length = static_cast<double>(held_out_.observed(d).size()) + prior;
    std::vector<double> share(topics.topics());  // theta_dk c_k
    for (std::size_t k = 0; k < share.size(); ++k) {
      const double mean = static_cast<double>(assigned.view().at(d, k)) / kept;
      share[k] = (mean + static_cast<double>(alpha[k])) / length *
                 static_cast<double>(topics.inverse_sums()[k]);
    }
    double* place = last_.data() + held_out_.first_test_token(d);
    for (const std::uint32_t word : held_out_.test(d)) {
      const float* weights = topics.weights().row(word);
      double p = 0;
      for (std::size_t k = 0; k < share.size(); ++k) {
        p += share[k] * static_cast<double>(weights[k]);
      }
      *place++ = p;
    }
  });
  for (std::size_t i = 0; i < last_.size(); ++i) {
    sums_[i] += last_[i];
  }
  ++evaluations_;
}

Perplexity Predictive::of(std::span<const double> probabilities, double count) const {
  const std::size_t documents = held_out_.documents().size();
  std::vector<double> logs(documents, 0.0);
  double total = 0;
  for (std::size_t d = 0; d < documents; ++d) {
    const std::size_t first = held_out_.first_test_token(d);
    for (std::size_t i = 0; i < held_out_.test(d).size(); ++i) {
      logs[d] += std::log(probabilities[first + i] / count);
    }
    total += logs[d];
  }
  const auto tokens = static_cast<double>(probabilities.size());
  if (tokens == 0 || !std::isfinite(total)) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {infinite, infinite};
  }
  const double mean = total / tokens;
  double squares = 0;
  for (std::size_t d = 0; d < documents; ++d) {
    const double residual = logs[d] - mean * static_cast<double>(held_out_.test(d).size());
    squares += residual * residual;
  }
  const double value = std::exp(-mean);
  return {value, value * std::sqrt(squares) / tokens};
}

Perplexity Predictive::last() const { return of(last_, 1); }

Perplexity Predictive::average() const {
  return of(sums_, static_cast<double>(std::max<std::uint64_t>(evaluations_, 1)));
}

void Predictive::clear() {
  std::ranges::fill(sums_, 0.0);
  evaluations_ = 0;
}

void Predictive::archive(Archive& a) {
  a.field(evaluations_);
  a.field(std::span(last_));
  a.field(std::span(sums_));
}

}  // namespace tain
