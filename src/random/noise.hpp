// Randomness as a function of position, never of history.
//
// Definition: word w of position (chain, index, step, purpose) under `seed` is word w of
//   Philox4x32-10 (Salmon et al. 2011, Random123) with counter
//     (chain, index, step mod 2^32, (step / 2^32) * 2^16 + page * 2^8 + purpose)
//   and key (seed low, seed high). All that is drawn here has page 0; draws of several words each,
//   like gammas (gamma.hpp), have pages of their own.
//   Vector code gives the same words as Random123's reference, on every instruction set.
// Uniforms:  u = (w + 1/2) 2^-32, so 0 < u < 1 always (32 bits); `Stream` offers 53 bits.
// Normals:   Box-Muller on pairs of words (0,1) and (2,3), in float: normal r of (chain, step,
//   purpose) comes from index r / 4. |xi| <= 6.77; relative error below 2^-20 of the exact
//   transform; the lost tail has probability 1.3e-11. Float noise is added to double state:
//   rounding is symmetric, so means stay exact.
// Laws: the same position gives the same value whatever block, thread, rank or order asks for it;
//   different positions are independent.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tain/core/block.hpp"

namespace tain {

/// What a random number is for; keeps streams of different uses apart. Below 256.
enum class Purpose : std::uint16_t {
  proposal = 1,    ///< Langevin noise, HMC momentum
  acceptance,      ///< Metropolis test
  start,           ///< starting points
  jitter,          ///< trajectory length
  direct,          ///< exact draws of a reference sampler
  batch,           ///< mini-batches
  check,           ///< points of the gradient check
  assignment,      ///< LDA: topic of a token
  topics,          ///< LDA: Langevin noise of topics
  first_topics,    ///< LDA: topics a run starts from
  document_order,  ///< LDA: which documents a step looks at
  holdout,         ///< LDA: documents and tokens kept for evaluation
};

class NoiseField {
 public:
  explicit NoiseField(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t seed() const { return seed_; }

  /// out(r, l) = normal r of chain first_chain + l at this step.
  void normals(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
               FloatBlock out) const;
  /// out(r, l) = normal first_row + r, first_row a multiple of 4.
  void normals(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
               std::uint64_t first_row, FloatBlock out) const;
  /// out[l] = uniform of chain first_chain + l at this step (word 0 of index 0). Size: lanes.
  void uniforms(Purpose purpose, std::uint64_t step, std::uint32_t first_chain,
                std::span<double> out) const;
  /// The four words of one position.
  std::array<std::uint32_t, 4> words(Purpose purpose, std::uint64_t step, std::uint32_t chain,
                                     std::uint32_t index) const;

 private:
  std::uint64_t seed_;
};

/// Scalar draws at one position (chain, step, purpose), for what needs a varying number of words
/// (rejection methods): index counts up from `first_index`. A value type: copy it to branch.
class Stream {
 public:
  Stream(const NoiseField& field, Purpose purpose, std::uint64_t step, std::uint32_t chain,
         std::uint32_t first_index = 0)
      : field_(field), purpose_(purpose), step_(step), chain_(chain), index_(first_index) {}

  std::uint32_t word();
  double uniform();  ///< odd multiples of 2^-53, in (0, 1)
  double normal();   ///< Box-Muller in double
  /// Poisson draw, a whole number; exact up to means of 1e15, rounded to doubles beyond. Inversion
  /// below a mean of 10, Hoermann's transformed rejection above.
  double poisson(double mean);
  /// Index drawn with probability weights[i] / sum(weights); weights >= 0 with a positive sum.
  std::size_t categorical(std::span<const double> weights);

 private:
  NoiseField field_;
  Purpose purpose_;
  std::uint64_t step_;
  std::uint32_t chain_;
  std::uint32_t index_;
  std::array<std::uint32_t, 4> words_{};
  int left_ = 0;
};

}  // namespace tain
