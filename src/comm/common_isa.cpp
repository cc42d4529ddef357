#include "comm/common_isa.hpp"

#include <array>

namespace tain {

// Instruction sets contain the narrower ones, so the least of what the ranks run on is it.
Isa common_isa(Comm& comm) {
  constexpr std::array all{Isa::baseline, Isa::avx2, Isa::avx512};
  std::array<std::uint64_t, all.size()> able{};  // ranks, by instruction set
  for (std::size_t i = 0; i < all.size(); ++i) {
    able[i] = all[i] <= current_isa() ? 1 : 0;
  }
  comm.sum(able);
  Isa widest = Isa::baseline;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (able[i] == static_cast<std::uint64_t>(comm.ranks())) {
      widest = all[i];
    }
  }
  return widest;
}

}  // namespace tain
