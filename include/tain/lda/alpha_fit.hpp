// Alpha, the prior weights of topics in documents, learned from documents' topics.
//
// Definition: the fixed point of Minka (2000) for a Dirichlet-multinomial, topic by topic:
//     alpha_k <- alpha_k sum_d (psi(n_dk + alpha_k) - psi(alpha_k)) / sum_d (psi(n_d + a) - psi(a))
//   with a = sum_k alpha_k, over batches: both sums are running means, the batch number t = 0, 1,
//   ... entering with weight (t + 1)^-0.6.
// Laws: the likelihood of alpha given the topics of one batch rises until its maximum is reached.
//   Every alpha_k stays between 1e-4 and 1e4.
// Cost: one digamma per document and topic it has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tain/core/archive.hpp"

namespace tain {

class AlphaFit {
 public:
  explicit AlphaFit(std::uint32_t topics);

  /// Topics of the tokens of one document of the next batch.
  void add(std::span<const std::uint16_t> topics, std::span<const float> alpha);
  /// Ends the batch, and moves alpha.
  void update(std::span<float> alpha);
  void archive(Archive& a);

 private:
  std::uint64_t batches_ = 0, documents_ = 0;
  double batch_lengths_ = 0, lengths_ = 0;     // sums of psi(n_d + a) - psi(a)
  std::vector<double> batch_topics_, topics_;  // sums of psi(n_dk + alpha_k) - psi(alpha_k)
  std::vector<std::uint32_t> counts_;          // of a document
};

}  // namespace tain
