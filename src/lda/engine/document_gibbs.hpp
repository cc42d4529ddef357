// Topics of the tokens of documents, by Gibbs sampling with the topics' words fixed.
//
// Definition: with n_dk the tokens of document d assigned to topic k, a sweep visits the tokens in
//   the order given and draws each anew from
//     p(z_i = k | the others) ~ (alpha_k + n_dk without i) phi_kw,
//     phi_kw = weight(w, k) c_k,  c = TopicWeights::inverse_sums().
//   Documents without `start` are filled by the first sweep: the same law, n_dk of the tokens
//   before i. The first `burn_in` sweeps are forgotten; what the others assign is added up.
//   A word without weight in any topic says nothing: p(z_i = k) ~ alpha_k + n_dk.
// Algorithms (one law, different bits):
//   dense    all K products; blocks of 16 topics are added lane by lane, then a prefix sum over the
//            16 lanes finds the lane and a search its block.
//   sparse   n_dk phi_kw over the topics the document has, gathered, beside the prior's mass
//            sum_k alpha_k phi_kw of the word, summed once per run. Only draws that fall into the
//            prior's mass look at all topics.
// Noise: token i of sweep s of document d in visit v takes the word i mod 4 of
//   (Purpose::assignment; step v, chain d, index s ceil(n / 4) + i / 4).
// Laws: a document's bits depend on its words, start, number, visit and sweeps, on the weights,
//   alpha and seed: not on the other documents, their order, threads or instruction set. A run of
//   a + b sweeps equals one of a sweeps and one of b that starts from its last topics with
//   first_sweep = a.
// Numerics: products and sums are float: probabilities are right to (blocks + 8) 2^-24 of the
//   total, counts are integers and m_k = (alpha_k + n_dk) c_k is computed from them each time,
//   so that nothing drifts. Uniforms have 31 bits. A topic of weight 0 is never drawn. Totals that
//   under- or overflow and draws that rounding leaves without a topic are drawn in double.
// Cost: per token 16 ceil(K / 16) products (dense) or as many as the document has topics (sparse);
//   several documents are walked in turns, so that one's arithmetic hides the other's latency.
//   No allocation once the largest batch has been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/parallel.hpp"
#include "lda/engine/topics.hpp"
#include "random/noise.hpp"
#include "tain/core/block.hpp"

namespace tain {

/// `fitting`: by the number of topics, whichever is faster.
enum class GibbsAlgorithm { fitting, dense, sparse };

/// Most topics a token's 16-bit topic can name.
inline constexpr std::uint32_t most_topics = 65'520;

struct GibbsPlan {
  std::uint32_t sweeps = 1;
  std::uint32_t burn_in = 0;      ///< of them, the first ones, not added up
  std::uint32_t first_sweep = 0;  ///< number of the first sweep in the visit's noise
};

struct GibbsDocument {
  std::uint32_t number = 0;                ///< its place in the noise
  std::span<const std::uint32_t> words;    ///< of every token
  std::span<const std::uint16_t> start{};  ///< topic of every token, or empty: fill
  std::span<std::uint16_t> last{};         ///< takes every token's topic, or empty; may be `start`
};

/// What a run leaves behind; what is not asked for costs nothing.
struct GibbsSums {
  /// Takes the words of the batch and how often each topic was given to them. Its memory is reused.
  TopicCounts* counts = nullptr;
  /// Row d takes n_dk of documents[d], added up over the sweeps kept. Rows as long as those of the
  /// weights.
  BasicBlock<std::uint32_t> documents{};
};

class DocumentGibbs {
 public:
  /// The weights are read by every run as they are then, and must outlive this. Throws Error
  /// (config): an alpha that is not positive and finite, too many topics.
  DocumentGibbs(const TopicWeights& topics, std::span<const float> alpha, const NoiseField& noise,
                GibbsAlgorithm algorithm = GibbsAlgorithm::fitting);
  ~DocumentGibbs();
  DocumentGibbs(DocumentGibbs&&) noexcept;
  DocumentGibbs& operator=(DocumentGibbs&&) noexcept;

  /// Replaces alpha; throws as the constructor does.
  void take_alpha(std::span<const float> alpha);
  GibbsAlgorithm algorithm() const;
  /// Throws Error (config) for a plan that keeps nothing or passes the noise's 2^32 positions.
  void run(std::span<const GibbsDocument> documents, const GibbsPlan& plan, std::uint64_t visit,
           Threads& threads, const GibbsSums& sums);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tain
