// Fuzz target: any bytes as wikitext give a result no longer than they are, in linear time.
#include <cstddef>
#include <cstdint>
#include <string>

#include "support.hpp"
#include "text/wiki_markup.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tain::WikiMarkup markup;
  std::string plain;
  markup.strip(text, plain);
  tain::fuzz::require(plain.size() <= text.size() + 1, "nothing is added but one line's end");
  tain::fuzz::require(markup.operations() <= 100 * text.size() + 100, "the cost is linear");
  tain::fuzz::require(plain.empty() || (plain.front() != '\n' && plain.back() != '\n'),
                      "no lines around");
  tain::fuzz::require(plain.find("\n\n") == std::string::npos, "no empty lines");
  std::string again = "anything";
  markup.strip(text, again);
  tain::fuzz::require(again == plain, "the result depends on the text only");
  return 0;
}
