// Gamma draws addressed by position, and exact steps of the Cox-Ingersoll-Ross process.
//
// Definition: theta of a cell is a draw of Gamma(A, 1), A > 0 its shape. A step of size h of
//     d theta = (A - theta) dt + sqrt(2 theta) dB,
//   whose stationary law is Gamma(A, 1), is the exact transition over the time h,
//     theta' = (1 - e^-h) Gamma(A + J),   J ~ Poisson(lambda),   lambda = theta / (e^h - 1).
// Draws: the common shape of Gammas, up to 1, by the inverse of its distribution function, fitted
//   once (GammaInverse). Other shapes from 1/2 by Marsaglia & Tsang (2000), with d = A - 1/3: x
//   normal, w = x / (3 sqrt d), theta = d (1 + w)^3, kept with probability e^-D, D = 3 d (w - w^2/2
//   + w^3/3 - log(1 + w)) >= 0; it holds for every A > 1/3. Other shapes below as Gamma(A + 1)
//   U^(1/A). Most first trials are kept for sure by a bound of D and a byte; the others are
//   finished, with the same x.
// Steps need no Poisson draw: with T, T' ~ Exp(1), the waits for the first two of the J, and Z
//   normal, noncentral chi-square laws give Gamma(A + J) as
//     A >= 1                  Gamma(A - 1/2) + (Z + sqrt(2 lambda))^2 / 2
//     else T > lambda         Gamma(A)
//     else A >= 1/2           Gamma(A + 1/2) + (Z + sqrt(2 (lambda - T)))^2 / 2
//     else T + T' > lambda    Gamma(A + 1)
//     else                    Gamma(A + 3/2) + (Z + sqrt(2 (lambda - T - T')))^2 / 2
// Noise: the words of chain k and row r are those of the chain at
//     page 1, index r / 4, word r mod 4       u of the inverse, or of x = Phi^-1(u)
//     page 2, index r / 16, byte r mod 16     the first byte of q: x is kept if -log(1 - q) >= D
//     page 3, index r / 4, word r mod 4       a step: T, or Z where A >= 1
//     page 4, index r                         Z, T', U, the other bits of q
//     page 5 + i, index r                     x and -log u >= D of two further trials
// Laws: a draw is a function of seed, position, shape, what it starts from and the common shape;
//   not of the block it is asked for in, nor of what else is there. AVX2 and AVX-512 give the same
//   bits.
// Numerics: words have 32 bits, so that |x| <= 6.34. sup |F - G| of a draw is below 3e-7 for shapes
//   from 1e-4 to 1e7. log_gammas and log_step are in double but for x, w and uniforms, and finite
//   where theta has no double. Gammas is in float and gives at least 1e-37. What is not a number
//   stays so.
// Cost, ns per cell on AVX-512 (AVX2): with 23 % of the cells at other shapes than the common one,
//   0.05, a draw 2.3 (3.1) and a step 3.7 to 4 (5.2 to 5.7); with all at others a draw 3.2 (4.2).
// Reference: Marsaglia & Tsang 2000, ACM Trans. Math. Softw. 26, 363; Giles 2010 for Phi^-1; Baker,
//   Fearnhead, Fox & Nemeth 2018 for the process.
#pragma once

#include <cstdint>
#include <optional>

#include "random/gamma_inverse.hpp"
#include "random/noise.hpp"
#include "tain/core/block.hpp"

namespace tain {

/// Where the cells of a block stand: cell (r, l) is row first_row + r of chain first_chain + l.
struct NoisePlace {
  Purpose purpose;
  std::uint64_t step = 0;
  std::uint32_t first_chain = 0, first_row = 0;
};

/// out(r, l) = log of a Gamma(shapes(r, l), 1) draw; out may be shapes. Blocks of one lane are
/// allowed.
void log_gammas(const NoiseField& noise, const NoisePlace& place, ConstBlock shapes, Block out);
/// log_states(r, l) = log theta, a step later.
void log_step(const NoiseField& noise, const NoisePlace& place, ConstBlock shapes, double h,
              Block log_states);

/// In float, for blocks most of whose cells have one shape. first_row is a multiple of 4.
class Gammas {
 public:
  static constexpr float least = 1e-37F;

  explicit Gammas(float common);
  float common() const { return common_; }

  void draw(const NoiseField& noise, const NoisePlace& place, ConstFloatBlock shapes,
            FloatBlock out) const;
  /// out = states, a step later; out may be states.
  void step(const NoiseField& noise, const NoisePlace& place, ConstFloatBlock shapes, double h,
            ConstFloatBlock states, FloatBlock out) const;

 private:
  float common_;
  std::optional<GammaInverse> inverse_;  // of a common shape that has one
};

}  // namespace tain
