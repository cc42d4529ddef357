// The checks of every Comm on ranks of MPI; started by mpirun. The plug-in is what TAIN_MPI names.
#include <gtest/gtest.h>

#include <cstdio>

#include "comm/conformance.hpp"
#include "tain/comm/launch.hpp"

namespace tain {
namespace {

Comm* world = nullptr;

class MpiRanks : public testing::TestWithParam<conformance::Check> {};

TEST_P(MpiRanks, Conform) { GetParam().run(*world); }
INSTANTIATE_TEST_SUITE_P(Comm, MpiRanks, testing::ValuesIn(conformance::checks),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tain

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tain::JoinedRanks joined({.rank = 0, .ranks = 0, .by_mpi = true}, [](double) {});
  tain::world = &joined.comm();
  if (argc > 1 && joined.comm().ranks() != std::stoi(argv[1])) {
    std::fprintf(stderr, "%d ranks instead of %s\n", joined.comm().ranks(), argv[1]);
    joined.abort(1);
  }
  const int result = RUN_ALL_TESTS();
  joined.leave();
  return result;
}
