#include "core/checksum.hpp"

#include <algorithm>
#include <cstring>

namespace tain {

void Checksum::add_stripe(const std::byte* stripe) {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, stripe + 8 * i, sizeof word);
    sums_[i] = (sums_[i] ^ word) * 0x9FB21C651E98DF25;
    sums_[i] ^= sums_[i] >> 29;  // so that high bits reach low ones
  }
}

void Checksum::add(std::span<const std::byte> bytes) {
  length_ += bytes.size();
  if (left_ > 0) {
    const std::size_t taken = std::min(stripe_bytes - left_, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(left_));
    left_ += taken;
    bytes = bytes.subspan(taken);
    if (left_ < stripe_bytes) {
      return;
    }
    add_stripe(rest_.data());
    left_ = 0;
  }
  for (; bytes.size() >= stripe_bytes; bytes = bytes.subspan(stripe_bytes)) {
    add_stripe(bytes.data());
  }
  std::ranges::copy(bytes, rest_.begin());
  left_ = bytes.size();
}

std::uint64_t Checksum::value() const {
  Checksum whole = *this;
  std::fill(whole.rest_.begin() + static_cast<std::ptrdiff_t>(left_), whole.rest_.end(),
            std::byte{0});
  whole.add_stripe(whole.rest_.data());
  std::uint64_t mixed = length_;
  for (const std::uint64_t sum : whole.sums_) {
    mixed = (mixed ^ sum) * 0x9FB21C651E98DF25;
    mixed ^= mixed >> 32;
  }
  return mixed;
}

}  // namespace tain
