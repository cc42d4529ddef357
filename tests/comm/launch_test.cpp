#include "tain/comm/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "support/folder.hpp"
#include "tain/core/error.hpp"

namespace tain::launch_test {
namespace {

std::optional<Launch> launch_with(const std::map<std::string, std::string>& variables) {
  return launch_of([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launch, IsToldByTheLauncherOnly) {
  EXPECT_EQ(launch_with({}), std::nullopt);
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
            (Launch{2, 4, true}));
  EXPECT_EQ(launch_with({{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}}), (Launch{3, 8, true}));
  EXPECT_EQ(launch_with({{"PMIX_RANK", "0"},
                         {"SLURM_PROCID", "0"},
                         {"SLURM_STEP_NUM_TASKS", "64"},
                         {"SLURM_NTASKS", "128"}}),
            (Launch{0, 64, true}));
  EXPECT_EQ(launch_with({{"PMIX_RANK", "5"}}), (Launch{5, 0, true}));  // MPI knows how many
}

TEST(Launch, OfOneProcessIsNone) {
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}),
            std::nullopt);
  EXPECT_EQ(launch_with({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}), std::nullopt);
}

TEST(Launch, ABatchScriptIsNone) {
  EXPECT_EQ(launch_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "64"}}), std::nullopt);
}

TEST(Launch, TasksWithoutMpiAreTold) {
  const std::optional<Launch> launch =
      launch_with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "64"}});
  EXPECT_EQ(launch, (Launch{1, 64, false}));
  try {
    const JoinedRanks joined(*launch, [](double) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), testing::HasSubstr("--mpi=pmix"));
  }
}

TEST(Launch, CanBeDeclined) {
  EXPECT_EQ(
      launch_with(
          {{"TAIN_MPI", "none"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
      std::nullopt);
}

TEST(Launch, WhatIsNoNumberIsNone) {
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
            std::nullopt);
  EXPECT_EQ(launch_with({{"OMPI_COMM_WORLD_RANK", "-1"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
            std::nullopt);
}

/// What joining with this plug-in says.
std::string refusal(const std::string& plug_in) {
  setenv("TAIN_MPI", plug_in.c_str(), 1);
  std::string text;
  try {
    const JoinedRanks joined({.rank = 1, .ranks = 4, .by_mpi = true}, [](double) {});
  } catch (const Error& error) {
    text = error.what();
  }
  unsetenv("TAIN_MPI");
  return text;
}

TEST(Launch, NeedsThePlugIn) {
  EXPECT_EQ(refusal("/no/such/file.so"),
            "ranks: started as rank 1 of 4, but libtain_mpi.so is not there; install the package "
            "tain-mpi, or set TAIN_MPI to the path of that file");
}

TEST(Launch, NeedsThePlugInOfThisVersion) {
  const test::Folder folder("launch");
  const std::string path = folder.path() / "no_plug_in.so";
  std::ofstream(path) << "no library";
  EXPECT_THAT(refusal(path), testing::HasSubstr("cannot load"));
  // A library that knows nothing of us.
  EXPECT_THAT(refusal(TAIN_OTHER_LIBRARY), testing::HasSubstr("is of another version"));
}

}  // namespace
}  // namespace tain::launch_test
