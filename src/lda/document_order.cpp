#include "tain/lda/document_order.hpp"

#include <bit>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::uint32_t rounds = 6;

}  // namespace

DocumentOrder::DocumentOrder(const NoiseField& field, std::uint64_t documents)
    : field_(field), documents_(documents) {
  if (documents == 0 || documents > std::uint64_t{1} << 32) {
    fail(Fault::config, "documents", "must be between 1 and 2^32", "split the corpus");
  }
  half_bits_ = (static_cast<int>(std::bit_width(documents - 1)) + 1) / 2;
}

std::uint64_t DocumentOrder::permuted(std::uint64_t index, std::uint64_t pass) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = index >> half_bits_, right = index & mask;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::uint64_t word =
        field_.words(Purpose::document_order, pass, round, static_cast<std::uint32_t>(right))[0];
    const std::uint64_t mixed = (left ^ word) & mask;
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

std::uint64_t DocumentOrder::at(std::uint64_t position) const {
  const std::uint64_t pass = position / documents_;
  std::uint64_t index = position % documents_;
  do {
    index = permuted(index, pass);
  } while (index >= documents_);
  return index;
}

}  // namespace tain
