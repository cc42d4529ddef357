// Fuzz target: any bytes as what follows the name in the checkpoint of a training, with a right
// checksum: settings, and the list of parts.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/checksum.hpp"
#include "lda/training/training_run.hpp"
#include "tain/core/error.hpp"

namespace {

std::string bytes_of(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      ("tain-fuzz-checkpoint-" + std::to_string(::getpid()) + ".bin");
  const std::string name = "tain topics checkpoint 3";
  std::string bytes = bytes_of(name.size()) + name;
  bytes.append(reinterpret_cast<const char*>(data), size);
  tain::Checksum checksum;
  checksum.add(std::as_bytes(std::span(bytes)));
  bytes += bytes_of(checksum.value());
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    tain::checkpoint_settings(file);
  } catch (const tain::Error&) {
  }
  std::filesystem::remove(file);
  return 0;
}
