// A checksum of bytes, against damage.
//
// Definition: four sums of 64-bit words, each multiplied by an odd constant before the next word is
//   added, so that order matters.
// Laws: the same for any cutting of the bytes into pieces. Cost: memory speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tain {

class Checksum {
 public:
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  void add_stripe(const std::byte* stripe);
  static constexpr std::size_t stripe_bytes = 32;
  std::array<std::uint64_t, 4> sums_{0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB,
                                     0xD6E8FEB86659FD93};
  std::array<std::byte, stripe_bytes> rest_{};
  std::size_t left_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace tain
