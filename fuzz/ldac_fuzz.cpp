// Fuzz target: any bytes as a file of lda-c.
#include "bags.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tain::fuzz::check_format(tain::Format::ldac, data, size);
}
