// Fuzz target: any bytes as a checkpoint, with a right checksum so that the reader gets past it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "tain/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::uint64_t sum = tain::fingerprint(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  try {
    tain::Archive archive(bytes, "fuzz");
    std::string text;
    std::vector<double> values;
    std::uint64_t count = 0;
    while (true) {  // ends with an error at the end of the bytes
      archive.field(text);
      archive.field(count);
      archive.field(values);
    }
  } catch (const tain::Error&) {
  }
  return 0;
}
