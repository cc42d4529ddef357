// Philox4x32-10 in numbers: constants, keys and the layout of a counter.
//
// One round takes (c0, c1, c2, c3) to (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1,
// lo(M0 c0)); the keys of round r are k + r times a Weyl constant (Salmon et al. 2011).
#pragma once

#include <array>
#include <cstdint>

#include "random/noise.hpp"

namespace tain::philox {

inline constexpr int rounds = 10;
inline constexpr std::uint64_t multiplier0 = 0xD2511F53;
inline constexpr std::uint64_t multiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t weyl0 = 0x9E3779B9;
inline constexpr std::uint32_t weyl1 = 0xBB67AE85;

/// Keys of all rounds for one seed.
struct Keys {
  explicit Keys(std::uint64_t seed) {
    auto low = static_cast<std::uint32_t>(seed);
    auto high = static_cast<std::uint32_t>(seed >> 32);
    for (int r = 0; r < rounds; ++r, low += weyl0, high += weyl1) {
      k0[r] = low;
      k1[r] = high;
    }
  }
  std::array<std::uint64_t, rounds> k0;
  std::array<std::uint64_t, rounds> k1;
};

/// Counter words 2 and 3: what all chains and indices of a page share.
struct StepWords {
  StepWords(Purpose purpose, std::uint64_t step, std::uint32_t page = 0)
      : c2(static_cast<std::uint32_t>(step)),
        c3(static_cast<std::uint32_t>(((step >> 32) << 16) + (page << 8) +
                                      static_cast<std::uint16_t>(purpose))) {}
  std::uint32_t c2;
  std::uint32_t c3;
};

/// out[w * chains + l] = word w of chain first_chain + l, by the vector code that feeds the
/// normals. chains is a multiple of lane_group. For tests: equals NoiseField::words bit for bit.
void words_of_chains(const NoiseField& field, Purpose purpose, std::uint64_t step,
                     std::uint32_t first_chain, std::uint32_t index, std::size_t chains,
                     std::uint32_t* out);

}  // namespace tain::philox
