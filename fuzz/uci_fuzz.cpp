// Fuzz target: any bytes as a file of UCI's bags of words.
#include "bags.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tain::fuzz::check_format(tain::Format::uci, data, size);
}
