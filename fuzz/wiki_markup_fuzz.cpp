// Fuzz target: any bytes as wikitext give a result no longer than they are, in linear time.
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "tain/text/wiki_markup.hpp"

namespace {

void require(bool condition, const char* law) {
  if (!condition) {
    throw std::logic_error(law);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tain::WikiMarkup markup;
  std::string plain;
  markup.strip(text, plain);
  require(plain.size() <= text.size() + 1, "nothing is added but one line's end");
  require(markup.operations() <= 100 * text.size() + 100, "the cost is linear");
  require(plain.empty() || (plain.front() != '\n' && plain.back() != '\n'), "no lines around");
  require(plain.find("\n\n") == std::string::npos, "no empty lines");
  std::string again = "anything";
  markup.strip(text, again);
  require(again == plain, "the result depends on the text only");
  return 0;
}
