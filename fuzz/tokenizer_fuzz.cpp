// Fuzz target: any bytes as text. The first byte chooses the rule; the tokens are what the
// definition says, keep the limits, and a space cuts any text in two.
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support.hpp"
#include "text/tokenizer.hpp"
#include "tokens.hpp"

namespace {

using namespace tain;
using fuzz::require;
using fuzz::tokens_of;

/// The whole text normalised at once, then cut by category.
std::vector<std::string> by_definition(std::string text) {
  for (std::size_t at = 0; (at = text.find("\u200B", at)) != std::string::npos;) {
    text.replace(at, 3, " ");
  }
  utf8proc_uint8_t* normal = nullptr;
  const auto size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
      static_cast<utf8proc_ssize_t>(text.size()), &normal,
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE |
                                     UTF8PROC_IGNORE | UTF8PROC_CASEFOLD));
  require(size >= 0, "valid text is normalised");
  std::vector<std::string> tokens(1);
  for (utf8proc_ssize_t i = 0; i < size;) {
    std::int32_t c = 0;
    const auto length = utf8proc_iterate(normal + i, size - i, &c);
    const char category = utf8proc_category_string(c)[0];
    if (category == 'L' || (category == 'M' && !tokens.back().empty())) {
      tokens.back().append(reinterpret_cast<const char*>(normal + i),
                           static_cast<std::size_t>(length));
    } else {
      tokens.emplace_back();
    }
    i += length;
  }
  std::free(normal);
  std::erase(tokens, "");
  return tokens;
}

void check_limits(const std::vector<std::string>& tokens, const TokenizerOptions& options) {
  for (const std::string& token : tokens) {
    const auto characters = static_cast<std::size_t>(
        std::count_if(token.begin(), token.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    require(characters >= options.min_characters && characters <= options.max_characters,
            "tokens keep the limits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  TokenizerOptions options;
  options.rule = data[0] % 2 == 0 ? TokenRule::unicode : TokenRule::ascii;
  options.min_characters = 1 + data[0] / 2 % 2;
  options.max_characters = data[0] / 4 % 2 == 0 ? 3 : 1000;
  options.stop_words = "none";
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Tokenizer whole(options);
  const auto tokens = tokens_of(text, whole);
  require(tokens.size() == whole.counts().kept, "tokens are counted");
  check_limits(tokens, options);
  // Fewer characters than are normalised together at most.
  if (options.rule == TokenRule::unicode && text.size() < 128 &&
      whole.counts().invalid_bytes == 0 && options.min_characters == 1 &&
      options.max_characters == 1000) {
    require(tokens == by_definition(std::string(text)), "tokens are those of the definition");
  }
  const std::string_view left = text.substr(0, text.size() / 2);
  const std::string_view right = text.substr(text.size() / 2);
  Tokenizer apart(options);
  auto both = tokens_of(left, apart);
  const auto rest = tokens_of(right, apart);
  both.insert(both.end(), rest.begin(), rest.end());
  Tokenizer joint(options);
  require(tokens_of(std::string(left) + ' ' + std::string(right), joint) == both,
          "a space cuts a text in two");
  require(joint.counts() == apart.counts(), "what is dropped is counted alike");
  return 0;
}
