// Fuzz target: any bytes as a problem file; the first byte chooses TOML or JSON.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "cli/flags.hpp"
#include "cli/problem_file.hpp"
#include "tain/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto path = std::filesystem::temp_directory_path() /
                    ("tain_fuzz_" + std::to_string(::getpid()) + (data[0] & 1 ? ".toml" : ".json"));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), std::streamsize(size - 1));
  try {
    tain::cli::read_problem_file(tain::cli::find_command("sample"), path);
  } catch (const tain::Error&) {
  }
  std::filesystem::remove(path);
  return 0;
}
