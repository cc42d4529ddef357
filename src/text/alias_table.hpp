// Draws from a discrete law in constant time (Walker 1977, built as by Vose 1991).
//
// Definition: of n columns, each of mass 1/n, column c gives c below its threshold and its alias
//   above. t = floor(x n / 2^32) for 64 random bits x holds both the column (upper half) and the
//   place within it (lower half), so one draw takes two words.
// Numerics: probabilities are right to 2^-32 / n each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tain::text {

struct AliasColumn {
  std::uint32_t threshold = 0;
  std::uint32_t alias = 0;
};

/// Where 64 random bits fall among `columns`.
struct AliasPlace {
  AliasPlace(std::uint32_t high, std::uint32_t low, std::uint32_t columns) {
    // (high 2^32 + low) n / 2^32; at most 2^64 - 2^32 - 1, so nothing is lost.
    const std::uint64_t t = std::uint64_t{high} * columns + (std::uint64_t{low} * columns >> 32);
    column = static_cast<std::uint32_t>(t >> 32);
    within = static_cast<std::uint32_t>(t);
  }
  std::uint32_t chosen(const AliasColumn& entry) const {
    return within < entry.threshold ? column : entry.alias;
  }
  std::uint32_t column, within;
};

/// Builds tables; one per thread, since it holds the lists in between.
class AliasBuilder {
 public:
  /// `weights` are not negative, and some are positive; one column each.
  void build(std::span<const float> weights, std::span<AliasColumn> table) {
    const std::size_t n = weights.size();
    double sum = 0;
    for (const float weight : weights) {
      sum += weight;
    }
    scaled_.resize(n);
    light_.clear();
    heavy_.clear();
    for (std::uint32_t c = 0; c < n; ++c) {
      scaled_[c] = weights[c] / sum * static_cast<double>(n);
      (scaled_[c] < 1 ? light_ : heavy_).push_back(c);
      table[c] = {0, c};  // full: both sides give c
    }
    while (!light_.empty() && !heavy_.empty()) {
      const std::uint32_t light = light_.back(), heavy = heavy_.back();
      light_.pop_back();
      table[light] = {static_cast<std::uint32_t>(scaled_[light] * 0x1p32), heavy};
      scaled_[heavy] -= 1 - scaled_[light];
      if (scaled_[heavy] < 1) {
        heavy_.pop_back();
        light_.push_back(heavy);
      }
    }
    // What is left is full but for rounding.
  }

 private:
  std::vector<double> scaled_;
  std::vector<std::uint32_t> light_, heavy_;
};

}  // namespace tain::text
