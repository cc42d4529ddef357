// Numbers as people give them: one for every coordinate, one for all, or none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace tain {

/// How many coordinates; none: something else decides.
using Dim = std::optional<std::size_t>;

struct Numbers {
  Numbers() = default;
  Numbers(double for_all)  // NOLINT(google-explicit-constructor): a number stands for a list
      : values{for_all}, one_for_all(true) {}
  Numbers(std::initializer_list<double> each) : values(each) {}
  Numbers(std::vector<double> each)  // NOLINT(google-explicit-constructor)
      : values(std::move(each)) {}

  /// A list or a matrix in a file, to be read by whoever takes it (core/number_file.hpp).
  static Numbers file(std::filesystem::path path) {
    Numbers numbers;
    numbers.source = std::move(path);
    return numbers;
  }

  bool given() const { return !values.empty() || !source.empty(); }
  /// How many coordinates they are for; none where one number is for all.
  Dim dim() const { return given() && !one_for_all ? Dim(values.size()) : std::nullopt; }
  /// One for every coordinate; `otherwise` where none are given.
  std::vector<double> spread(std::size_t count, double otherwise = 0) const {
    const bool one = !given() || one_for_all;
    return one ? std::vector<double>(count, given() ? values.front() : otherwise) : values;
  }

  std::vector<double> values;
  bool one_for_all = false;
  std::filesystem::path source = {};  ///< file that they were read from
};

}  // namespace tain
