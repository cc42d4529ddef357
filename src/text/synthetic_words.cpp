// Words that nobody means: three syllables or more, neighbours unlike each other.
#include <algorithm>

#include "text/stop_words.hpp"
#include "text/synthetic.hpp"

namespace tain {
namespace {

constexpr std::string_view consonants = "bdfghjklmnprstvz";
constexpr std::string_view vowels = "aeiou";
constexpr std::uint64_t syllables = consonants.size() * vowels.size();
constexpr std::uint64_t fewest_syllables = 3;

/// Number n of the words of `count` syllables, n below `words` = syllables^count.
std::string word_of(std::uint64_t n, std::uint64_t count, std::uint64_t words) {
  // Steps of about the golden section visit every number once (odd and no multiple of five, while
  // `words` has only these factors), and change every syllable.
  const auto golden = static_cast<std::uint64_t>(0.6180339887 * static_cast<double>(words));
  const std::uint64_t step = golden / 10 * 10 + 7;
  std::uint64_t rest = n * step % words;
  std::string word;
  for (std::uint64_t s = 0; s < count; ++s, rest /= syllables) {
    const std::uint64_t syllable = rest % syllables;
    word += consonants[syllable / vowels.size()];
    word += vowels[syllable % vowels.size()];
  }
  return word;
}

}  // namespace

std::vector<std::string> synthetic_words(std::uint32_t words) {
  static_assert(syllables == 80, "powers of 80 have the factors 2 and 5 only");
  const std::span<const std::string_view> stop_words = english_stop_words();
  std::vector<std::string> all;
  all.reserve(words);
  std::uint64_t of_this_length = syllables * syllables * syllables;
  for (std::uint64_t count = fewest_syllables; all.size() < words; ++count) {
    for (std::uint64_t n = 0; n < of_this_length && all.size() < words; ++n) {
      std::string word = word_of(n, count, of_this_length);
      if (!std::ranges::binary_search(stop_words, word)) {
        all.push_back(std::move(word));
      }
    }
    of_this_length *= syllables;
  }
  return all;
}

}  // namespace tain
