// Fuzz target: any bytes as a draws file. Errors are fine; crashes and wild allocations are not.
#include <cstddef>
#include <cstdint>
#include <span>

#include "draws/formats.hpp"
#include "tain/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tain::draws::parse_npy(std::as_bytes(std::span(data, size)), "fuzz.npy");
  } catch (const tain::Error&) {
  }
  return 0;
}
