// Fuzz target: any bytes as a file of stop words. Nothing is left of a text that is the list, and a
// text loses nothing but words of the list. The first byte chooses the rule.
#include <set>
#include <vector>

#include "support.hpp"
#include "text/stop_words.hpp"
#include "text/tokenizer.hpp"
#include "tokens.hpp"

namespace {

using namespace tain;
using fuzz::require;

std::vector<std::string> tokens_of(std::string_view text, const TokenizerOptions& options) {
  Tokenizer tokenizer(options);
  return fuzz::tokens_of(text, tokenizer);
}

void check(std::string_view list, std::string_view text, TokenizerOptions options) {
  options.stop_words = "none";
  const std::vector<std::string> listed = tokens_of(list, options);
  std::vector<std::string> expected = tokens_of(text, options);
  const std::set<std::string> stop(listed.begin(), listed.end());
  std::erase_if(expected, [&](const std::string& token) { return stop.contains(token); });
  const fuzz::MemoryFile file(list);
  options.stop_words = file.path();
  require(tokens_of(list, options).empty(), "every word of the list is a stop word");
  require(tokens_of(text, options) == expected, "no other word is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  TokenizerOptions options;
  options.rule = data[0] % 2 == 0 ? TokenRule::unicode : TokenRule::ascii;
  options.min_characters = 1;
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  check(bytes.substr(0, bytes.size() / 2), bytes, options);
  return 0;
}
