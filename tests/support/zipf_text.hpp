// Text of any length in a made-up language: documents of a thousand words, one per line, in which
// the word of rank r has a frequency like 1/r.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tain::testing_support {

class ZipfText {
 public:
  explicit ZipfText(double words) : log_words_(std::log(words)) {}

  /// Writes the next document and its line end over `line`.
  void next(std::string& line) {
    line.clear();
    for (int word = 0; word < 1000; ++word) {
      // The logarithm of the rank is uniform where its frequency is like 1/r.
      append_word(static_cast<std::uint64_t>(std::exp(uniform() * log_words_)), line);
      line += ' ';
    }
    line.back() = '\n';
  }

 private:
  double uniform() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  /// Three to ten letters, rarer words being longer; different ranks are different words.
  static void append_word(std::uint64_t rank, std::string& line) {
    std::uint64_t rest = rank;
    for (std::size_t letters = 0; letters < 3 || rest > 0; ++letters, rest /= 20) {
      line += static_cast<char>('b' + rest % 20);
    }
    line += rank % 2 == 0 ? 'a' : 'z';
  }

  double log_words_;
  std::uint64_t state_ = 1;
};

}  // namespace tain::testing_support
