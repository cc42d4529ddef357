// How well topics predict the held-out tokens.
//
// Definition: theta_d comes from Gibbs on the observed part of document d given the topics; a test
//   token w has p(w) = sum_k (n_dk + alpha_k)/(n_d + sum alpha) phi_kw, n_dk being the mean over
//   the sweeps kept. perplexity = exp(-mean log p) over all test tokens. Its average over
//   evaluations takes the mean of p(w) before the logarithm: the posterior predictive (Patterson &
//   Teh 2013). The standard error is over documents, of the ratio (sum of log p) / (number of test
//   tokens), by the delta method.
// Laws: depends on the seed, the visit, the topics, alpha: neither on threads nor on ranks, each of
//   which looks at some of the documents.
// Numerics: probabilities and their sums are double. A word without weight in any topic has
//   probability 0, and the perplexity is infinite: that is what such topics say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/held_out.hpp"
#include "lda/engine/topics.hpp"
#include "tain/lda/record.hpp"

namespace tain {

/// Sweeps over a document wherever perplexity is measured, so that figures compare.
inline constexpr GibbsPlan evaluation_sweeps{.sweeps = 50, .burn_in = 25};
/// Noise of evaluations: apart from that of training with the same seed.
inline NoiseField evaluation_noise(std::uint64_t seed) {
  return NoiseField(seed ^ 0x6576616c75617465);  // "evaluate"
}

class Predictive {
 public:
  /// The held-out documents must outlive this.
  Predictive(const HeldOut& held_out, const GibbsPlan& plan, const NoiseField& noise);

  /// Probabilities of the test tokens under these topics; adds them to the average.
  void evaluate(const TopicWeights& topics, std::span<const float> alpha, std::uint64_t visit,
                Threads& threads);
  /// The same over ranks, each of which has the topics' weights of its words. Collective.
  void evaluate(const TopicWeights& own, const Sharding& sharding, std::span<const float> alpha,
                std::uint64_t visit, Threads& threads);
  /// Of the last evaluation alone.
  Perplexity last() const;
  /// Of the mean over evaluations since the last clear().
  Perplexity average() const;
  std::uint64_t evaluations() const { return evaluations_; }
  /// Begins a new average.
  void clear();
  void archive(Archive& a);

 private:
  void gather(Comm& ranks);
  Perplexity of(std::span<const double> probabilities, double count) const;

  const HeldOut& held_out_;
  GibbsPlan plan_;
  NoiseField noise_;
  std::uint64_t evaluations_ = 0;
  std::vector<double> last_, sums_;  // per test token
};

}  // namespace tain
