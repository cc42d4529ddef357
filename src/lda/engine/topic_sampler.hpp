// Samplers of topics: one pass over all words and topics per batch of documents.
//
// Definition: n_kw = mean count of word w in topic k over the kept sweeps of a batch, R = `scale`
//   (documents of the corpus per document of the batch), A_kw = eta + R n_kw, A_k = sum_w A_kw,
//   phi_kw = g_kw / sum_w g_kw with the weights g; xi normal. eps is the step size, h = eps.
//   smld                y += eps (A - A_k phi) + sqrt(2 eps) xi, g = e^y: stochastic mirrored
//                       Langevin in the dual of the entropic map (paper 3.7, 4.2, 5.2), one
//                       coordinate per word; y and y + constant are the same topic.
//   smld-approximate    the same drift, g = max{e, 1 + y} with the floor e = 0 (paper 5.2), or
//                       g = 1 + z + z^2/2, z = max{y, -1} (its footnote's higher order).
//   smld-preconditioned y += eps P (A - A_k phi) + sqrt(2 eps P) xi, g = e^y. While the warm-up
//                       lasts, 1/P is the running mean of A_k phi + R over the states left
//                       behind; then it stays as it is.
//   smld-root           theta' = m e^(s xi - s^2/2), s^2 = log(1 + v/m^2), g = theta, with the mean
//                       m and the variance v of theta after time h of the mirrored diffusion whose
//                       dual coordinate is y = 2 sqrt(theta):
//                         m = e^-h theta + (1 - e^-h) A,  v = (1 - e^-h) (m + e^-h theta)
//   sgrld               theta' = |theta + eps (A - theta (1 + R n_k / sum theta))
//                       + sqrt(2 eps theta) xi|, g = theta (Patterson & Teh 2013)
//   sgrhmc              momenta r besides (Ma, Chen & Fox 2015), metric 1/theta:
//                       r += eps ((A - 1/2)/sqrt(theta) - sqrt(theta) (1 + R n_k / sum theta) -
//                       theta r) + sqrt(2 eps theta) xi; theta += eps sqrt(theta) r, reflected at 0
//   scir                theta' = (1 - e^-h) Gamma(A + J), J ~ Poisson(theta / (e^h - 1))
//                       (Baker, Fearnhead, Fox & Nemeth 2018), g = theta
//   gibbs               theta' ~ Gamma(A), g = theta: phi_k ~ Dirichlet(A_k), whatever it was before.
//                       It has no step size.
// Laws: with A the same at every step, phi_k ~ Dirichlet(A_k) is stationary: exactly for gibbs, after
//   one step, and scir; as eps -> 0 for smld, smld-preconditioned, sgrld, sgrhmc and smld-root; not for smld-approximate,
//   which the paper calls a heuristic. Under smld-root every theta has mean A and variance A, those
//   of Gamma(A, 1), at every step size; when A is a batch's estimate, mean and variance are those
//   of scir. Derivations: src/lda/engine/methods.
// Noise: xi of topic k and word w at step t is normal w of chain k, purpose topics (NoiseField).
//   gibbs and scir: the words of chain k and row w (random/gamma.hpp).
// Start: g = g0 e^(xi/10), g0 = `first_weight`, xi as above for purpose first_topics: a spread of
//   10 %, like that of the Gamma(100, 1/100) that online variational Bayes starts from; or weights
//   from elsewhere. y = log g, or g - 1 if approximate (in second order sqrt(2 g - 1) - 1, with
//   g at least 1/2); theta = g; r = 0.
// Numerics: float state, sums in double as TopicWeights takes them, so bits do not depend on
//   threads. smld and smld-preconditioned keep y = log phi by taking off the last log-sum: no step
//   overflows until A eps itself does. Weights e^y stop at 1.6e-38, theta at 1e-37: no share
//   that a token would ever get; smld-approximate has weights 0, and a word may have none in any topic.
// Ranks: each has the words of its Division, and all of them together are the topics: noise goes by
//   the number of a word in the vocabulary, sums by blocks in their order over all ranks. Steps,
//   start and take_weights are collective.
// Cost: one pass over words x topics, no allocation after the first step; between ranks a sum of
//   8 K bytes and a relay of as many, for smld and smld-preconditioned 8 bytes more. Memory: see
//   topic_sampler_bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "lda/engine/exchange/sharding.hpp"
#include "lda/engine/topics.hpp"
#include "tain/core/block.hpp"
#include "tain/kernels/tuning.hpp"

namespace tain {

/// What smld-approximate puts in place of e^y.
enum class Approximation { linear, quadratic };

struct TopicSamplerOptions {
  std::uint32_t topics = 0, words = 0;  ///< K, W of all ranks: at least 1
  double eta = 0.01;                    ///< prior weight of a word in a topic, > 0
  std::uint64_t seed = 0;
  std::uint64_t warmup = 0;  ///< smld-preconditioned: steps during which P is adapted
  Approximation approximation = Approximation::linear;
  double floor = 0;         ///< smld-approximate: least weight, >= 0
  double first_weight = 1;  ///< of every word at the start, > 0
};

/// An array that a checkpoint keeps: a row per word of this rank, or one that all ranks have.
struct TopicArray {
  std::string_view name;
  FloatBlock values;
  enum class Rows { words, common } rows = Rows::words;
  enum class Sign { any, not_negative } sign = Sign::any;
};

struct TopicPass;

class TopicSampler {
 public:
  virtual ~TopicSampler() = default;
  TopicSampler(const TopicSampler&) = delete;
  TopicSampler& operator=(const TopicSampler&) = delete;

  virtual std::string_view name() const = 0;
  const Sharding& sharding() const { return sharding_; }
  /// Of the words of this rank.
  const TopicWeights& weights() const { return weights_; }
  /// Random topics to start from.
  void start(Threads& threads);
  /// Weights to fill from elsewhere (all positive); take_weights() then starts from them.
  TopicWeights& first_weights() { return weights_; }
  void take_weights(Threads& threads);
  /// Step t, with the counts of this rank's words (numbers in the vocabulary). A failure leaves
  /// topics that are of no use: stop, and go back to a checkpoint.
  [[nodiscard]] std::optional<TopicFailure> advance(const TopicCounts& batch, double scale,
                                                    std::uint64_t t, double step_size,
                                                    Threads& threads);
  /// All that a run needs to go on with the same bits: fill them with what was saved.
  std::vector<TopicArray> state();

 protected:
  TopicSampler(const TopicSamplerOptions& options, const Sharding& sharding);

  const TopicSamplerOptions& options() const { return options_; }
  FloatBlock cells() { return weights_.weights(); }
  std::size_t blocks() const { return (weights_.words() + block_words - 1) / block_words; }

  /// Arrays besides weights and inverse sums.
  virtual void add_state(std::vector<TopicArray>&) {}
  /// Own state from the first weights.
  virtual void place(Threads&) {}
  /// Adds what the method's blocks need to know of this step.
  virtual void prepare(TopicPass&) {}
  virtual void run_block(const TopicPass& pass, std::size_t block) const = 0;
  /// Looks at the sums of the new weights (one per topic), and may change them with the weights.
  virtual void finish(std::span<double>, Threads&) {}

  /// sums[k] from what the blocks of all ranks left in the pass. Collective.
  void add_blocks(std::span<double> sums) const;
  std::span<double> block_sums() { return block_sums_; }

 private:
  void add_columns(const TopicCounts& batch, Threads& threads);
  std::optional<TopicFailure> invert(std::span<const double> sums);

  TopicSamplerOptions options_;
  Sharding sharding_;
  TopicWeights weights_;
  std::vector<double> block_sums_;  // of weights: row_length() per block
  std::vector<double> sums_;
  std::vector<float> totals_, pulls_;
  std::vector<std::uint64_t> columns_;  // sums of the batch's counts: row_length() per task
  std::vector<std::uint32_t> no_counts_;
};

/// A method by name: what it is like, and how it is made.
struct TopicMethod {
  std::string_view name;
  std::unique_ptr<TopicSampler> (*make)(const TopicSamplerOptions&, const Sharding&);
  std::uint64_t arrays;            ///< of a float per cell
  Schedule step_size = {1, 1, 0};  ///< that suits it
  /// All that it forgets goes at one rate, so that step sizes are times: it starts by descent, keeps
  /// assignments and takes streams. The others are used as in the paper.
  bool one_rate = false;
  /// Goes on from the topics that are there, by a step that has a size. One that draws them afresh
  /// starts by descent and keeps assignments, too, but takes no streams.
  bool remembers = true;
  /// Leaves the sum of its weights alone, which decides how strong its noise is beside them, and so
  /// starts at the posterior's scale; the others find theirs.
  bool keeps_scale = false;
  bool approximates = false;  ///< has approximation and floor
  bool adapts = false;        ///< has a warm-up
  double cell_cost = 1.1;     ///< nanoseconds of a step and cell, as measured on AVX-512
};
/// The first is the default.
std::span<const TopicMethod> topic_method_table();
/// Null if there is none.
const TopicMethod* find_topic_method(std::string_view name);
/// Throws Error (usage) for an unknown method.
const TopicMethod& topic_method(std::string_view name);
/// Of those that have something, or of all.
std::vector<std::string_view> topic_methods(bool TopicMethod::* has = nullptr);
/// Throws Error (config) for options out of range.
std::unique_ptr<TopicSampler> make_topic_sampler(std::string_view method,
                                                 const TopicSamplerOptions& options);
/// Of the words of one rank.
std::unique_ptr<TopicSampler> make_topic_sampler(std::string_view method,
                                                 const TopicSamplerOptions& options,
                                                 const Sharding& sharding);
/// Bytes a sampler of so many words holds, weights included.
std::uint64_t topic_sampler_bytes(std::string_view method, std::uint32_t topics,
                                  std::uint32_t words);

}  // namespace tain
