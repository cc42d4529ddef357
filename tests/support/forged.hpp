// State that somebody made up: with a right checksum, but with numbers that no run has.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "core/archive.hpp"
#include "core/checksum.hpp"
#include "core/file.hpp"
#include "tain/core/error.hpp"

namespace tain::test {

/// As Archive::finish ends a string.
inline std::string with_fingerprint(std::string bytes) {
  const std::uint64_t sum = fingerprint(bytes);
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

/// As write_archive ends a file.
inline std::string with_checksum(std::string bytes) {
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(bytes)));
  const std::uint64_t sum = checksum.value();
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

/// Calls `take` with the state, without the checksum that `sealed` ends with, after eight bytes of
/// it, or four, became a number that is hard to live with: at every place up to `dense`, then at
/// every fourth, counted from the end. Whatever `take` throws must be Error, of data or of a plan that no run has.
/// Returns how many were taken for a state.
inline int for_forged(const std::string& sealed, std::size_t dense,
                      const std::function<void(const std::string& bytes)>& take) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::array<std::uint64_t, 10> hard{
      0,
      1,
      ~std::uint64_t{0},
      std::uint64_t{1} << 40,
      std::uint64_t{1} << 62,
      std::bit_cast<std::uint64_t>(nan),
      std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
      std::bit_cast<std::uint64_t>(-1.0),
      std::bit_cast<std::uint64_t>(1e300),
      0x7f7fffff7fc00000,  // floats: the largest, and none
  };
  const std::string state = sealed.substr(0, sealed.size() - sizeof(std::uint64_t));
  int taken = 0;
  for (std::size_t at = 0; at + 8 <= state.size();
       at += at < dense ? 1 : 4 - (at + 4 - state.size() % 4) % 4) {
    for (const std::uint64_t value : hard) {
      for (const std::size_t width : {std::size_t{8}, std::size_t{4}}) {
        std::string forged = state;
        std::memcpy(forged.data() + at, &value, width);
        try {
          take(forged);
          ++taken;
        } catch (const Error& error) {
          EXPECT_TRUE(error.fault() == Fault::data || error.fault() == Fault::config)
              << "byte " << at << ": " << error.what();
        } catch (const std::exception& error) {
          ADD_FAILURE() << "byte " << at << ": " << error.what();
        }
      }
    }
  }
  return taken;
}

}  // namespace tain::test
