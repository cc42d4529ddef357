// Writes one table in all three formats into the folder given, for scripts to look at.
#include <cstdio>

#include "draws/table.hpp"
#include "draws_fixture.hpp"

int main(int argc, char** argv) {
  using namespace tain;
  using testing_draws::write_draws;
  if (argc != 2) {
    std::fputs("usage: write_example_draws FOLDER\n", stderr);
    return 64;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const DrawTable table = testing_draws::example_table({4, 30, 3, 2});
  const DrawsInfo info = testing_draws::example_info();
  for (const char* name : {"draws.nc", "draws.csv", "draws.npy", "chain_%d.csv"}) {
    write_draws(folder / name, table, 25, info);
  }
  write_draws(folder / "named.nc", table, 25, info, {"alpha", "beta[1]", "beta[2]"});
}
