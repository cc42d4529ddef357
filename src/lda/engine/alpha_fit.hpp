// Alpha, the prior weights of topics in documents, learned from documents' topics.
//
// Definition: the fixed point of Minka (2000) for a Dirichlet-multinomial, topic by topic:
//     alpha_k <- alpha_k sum_d (psi(n_dk + alpha_k) - psi(alpha_k)) / sum_d (psi(n_d + a) - psi(a))
//   with a = sum_k alpha_k, over batches: both sums are running means, the batch number t = 0, 1,
//   ... entering with weight (t + 1)^-0.6.
// Laws: the likelihood of alpha given the topics of one batch rises until its maximum is reached.
//   Every alpha_k stays between 1e-4 and 1e4. Sums over a batch are whole numbers of 2^-32: they
//   depend neither on the order of its documents nor on which rank has them.
// Cost: one digamma per document and topic it has; between ranks a sum of 16 K + 24 bytes a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "tain/comm/comm.hpp"

namespace tain {

class AlphaFit {
 public:
  explicit AlphaFit(std::uint32_t topics);

  /// Topics of the tokens of one document of the next batch.
  void add(std::span<const std::uint16_t> topics, std::span<const float> alpha);
  /// Ends the batch, and moves alpha.
  void update(std::span<float> alpha);
  /// The same where each rank has added some of the documents. Collective.
  void update(std::span<float> alpha, Comm& ranks);
  void archive(Archive& a);

 private:
  void add(std::size_t sum, double value);
  double mean(std::size_t sum) const;

  std::uint64_t batches_ = 0;
  // Of the batch: documents, then two parts of 32 bits of every sum, so that 2^32 documents fit:
  // of psi(n_d + a) - psi(a), and of psi(n_dk + alpha_k) - psi(alpha_k) for every topic.
  std::vector<std::uint64_t> batch_;
  double lengths_ = 0;  // their running means
  std::vector<double> topics_;
  std::vector<std::uint32_t> counts_;  // of a document
};

}  // namespace tain
