// Fuzz target: any bytes as a file of svmlight, with ids from 1 and from 0.
#include "bags.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tain::BagOptions from_zero;
  from_zero.svmlight_first_id = tain::FirstId::zero;
  tain::fuzz::check_format(tain::Format::svmlight, data, size, from_zero);
  return tain::fuzz::check_format(tain::Format::svmlight, data, size);
}
