// Gives the files of a folder to a fuzz target, without a fuzzer: the program of the tests fuzz.*.
//   usage: fuzz_NAME FOLDER
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <vector>

#include "core/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Copied, so that sanitizers see reads beyond the end.
void replay(const std::string& bytes) {
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

int replay_all(const std::filesystem::path& folder) {
  int failures = 0, files = 0;
  replay("");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    try {
      replay(tain::read_file(entry.path()));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", entry.path().c_str(), error.what());
      ++failures;
    }
  }
  std::printf("%d files, %d failures\n", files, failures);
  return failures > 0 || files == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 64;
  }
  return replay_all(argv[1]);
}
