// Writes text of a made-up language to standard output.
//   tain_bench_zipf_text MEGABYTES WORDS
#include "support/zipf_text.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: tain_bench_zipf_text MEGABYTES WORDS\n", stderr);
    return 64;
  }
  const double bytes = 1e6 * std::atof(argv[1]);
  tain::testing_support::ZipfText text(std::atof(argv[2]));
  std::string line;
  for (double written = 0; written < bytes; written += static_cast<double>(line.size())) {
    text.next(line);
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) {
      return 74;
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 74;
}
