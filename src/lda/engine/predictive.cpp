#include "lda/engine/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "lda/engine/exchange/distributed_gibbs.hpp"
#include "lda/engine/exchange/topic_rows.hpp"

namespace tain {

Predictive::Predictive(const HeldOut& held_out, const GibbsPlan& plan, const NoiseField& noise)
    : held_out_(held_out),
      plan_(plan),
      noise_(noise),
      last_(held_out.test_tokens(), 0.0),
      sums_(held_out.test_tokens(), 0.0) {}

void Predictive::evaluate(const TopicWeights& topics, std::span<const float> alpha,
                          std::uint64_t visit, Threads& threads) {
  evaluate(topics, Sharding(topics.words()), alpha, visit, threads);
}

void Predictive::evaluate(const TopicWeights& own, const Sharding& sharding,
                          std::span<const float> alpha, std::uint64_t visit, Threads& threads) {
  const std::size_t count = held_out_.documents().size();
  std::vector<std::span<const std::uint32_t>> observed(count), test(count);
  for (std::size_t d = 0; d < count; ++d) {
    observed[d] = held_out_.observed(d);
    test[d] = held_out_.test(d);
  }
  const double kept = plan_.sweeps - plan_.burn_in;
  const double prior = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  const auto see = [&](const SharedDocument& seen) {
    const double length = static_cast<double>(observed[seen.document].size()) + prior;
    std::vector<double> share(seen.assigned.size());  // theta_dk c_k
    for (std::size_t k = 0; k < share.size(); ++k) {
      const double mean = static_cast<double>(seen.assigned[k]) / kept;
      share[k] = (mean + static_cast<double>(alpha[k])) / length *
                 static_cast<double>(seen.topics.inverse_sums()[k]);
    }
    double* place = last_.data() + held_out_.first_test_token(seen.document);
    for (const std::uint32_t row : seen.others) {
      const float* weights = seen.topics.weights().row(row);
      double p = 0;
      for (std::size_t k = 0; k < share.size(); ++k) {
        p += share[k] * static_cast<double>(weights[k]);
      }
      *place++ = p;
    }
  };
  gibbs_over_ranks({own, sharding, alpha}, noise_, observed, test, plan_, visit, threads, see);
  gather(sharding.comm());
  for (std::size_t i = 0; i < last_.size(); ++i) {
    sums_[i] += last_[i];
  }
  ++evaluations_;
}

// Every rank has the probabilities of its documents' tokens.
void Predictive::gather(Comm& ranks) {
  const std::uint64_t documents = held_out_.documents().size();
  if (ranks.alone() || documents == 0) {
    return;
  }
  const auto parts = static_cast<std::size_t>(ranks.ranks());
  const auto tokens_of = [&](int rank) {
    const Range own = piece_of(documents, static_cast<std::size_t>(rank), parts);
    const auto begin = [&](std::uint64_t d) {
      return d < documents ? held_out_.first_test_token(d) : last_.size();
    };
    return std::span(last_).subspan(begin(own.first), begin(own.end) - begin(own.first));
  };
  const std::unique_ptr<Transfer> transfer = ranks.transfer();
  transfer->gather(std::as_bytes(tokens_of(ranks.rank())));
  transfer->wait();
  for (int r = 0; r < ranks.ranks(); ++r) {
    if (r != ranks.rank()) {
      std::ranges::copy(transfer->from(r), std::as_writable_bytes(tokens_of(r)).begin());
    }
  }
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
  if (a.reading()) {
    const double most = 1.001 * static_cast<double>(evaluations_);  // topics sum to 1, rounded
    a.require(std::ranges::all_of(last_, [](double p) { return p >= 0 && p <= 1.001; }) &&
                  std::ranges::all_of(sums_, [=](double sum) { return sum >= 0 && sum <= most; }),
              "has probabilities of words that are none");
  }
}

}  // namespace tain
