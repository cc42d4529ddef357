// The tokens of a text, as a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.hpp"

namespace tain::fuzz {

inline std::vector<std::string> tokens_of(std::string_view text, Tokenizer& tokenizer) {
  struct Collector final : TokenSink {
    std::vector<std::string> tokens;
    void put(std::string_view token) override { tokens.emplace_back(token); }
  };
  Collector collector;
  tokenizer.tokens(text, collector);
  return collector.tokens;
}

}  // namespace tain::fuzz
