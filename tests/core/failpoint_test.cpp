// Failpoints end processes, so each test is one of its own.
#include "core/failpoint.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "core/file.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"

namespace tain::failpoint_test {
namespace {

void ask(const char* drill) { ::setenv("TAIN_FAILPOINT", drill, 1); }

/// Passes "a" twice, "b" once and counts to 10, then ends well.
[[noreturn]] void work() {
  failpoint("a");
  failpoint("b");
  failpoint("a");
  for (std::uint64_t n = 0; n <= 10; n += 5) {
    failpoint_count("n", n);
  }
  std::_Exit(0);
}

void work_with(const char* drill) {
  ask(drill);
  work();
}

TEST(FailpointDeathTest, KillsAtTheChosenPassage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(work_with("a"), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EXIT(work_with("a:2"), testing::KilledBySignal(SIGKILL), "");
  EXPECT_EXIT(work_with("a:2=term"), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(work_with("b=usr1"), testing::KilledBySignal(SIGUSR1), "");
  EXPECT_EXIT(work_with("n:7=int"), testing::KilledBySignal(SIGINT), "");
}

TEST(FailpointDeathTest, DoesNothingWhereItIsNotAskedTo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(work_with(""), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(work_with("a:3"), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(work_with("n:11"), testing::ExitedWithCode(0), "");
}

TEST(FailpointDeathTest, TellsHowFarACountMayGo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ask("n:7");
        const bool right = failpoint_distance("n", 5) == 2 && failpoint_distance("m", 5) > 1000 &&
                           failpoint_distance("n", 7) > 1000;
        std::_Exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(FailpointDeathTest, LogHasTheNamesInOrder) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const test::Folder folder("failpoint");
  // The process that dies begins this test anew, with the variable that is already there.
  ::setenv("TAIN_FAILPOINT_LOG", (folder.path() / "log").c_str(), 0);
  EXPECT_EXIT(
      {
        write_atomically(folder.path() / "file", "text");
        work();
      },
      testing::ExitedWithCode(0), "");
  ::unsetenv("TAIN_FAILPOINT_LOG");
  const std::filesystem::path log = folder.path() / "log";
  EXPECT_EQ(read_file(log), "file/writing\nfile/written\nfile/renamed\na\nb\na\n");
}

TEST(FailpointDeathTest, RefusesWhatItCannotUnderstand) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* drill : {"a=no", "a:x", "a:0", "a:", ":2", "=kill", "a:1x=kill"}) {
    EXPECT_EXIT(
        {
          ask(drill);
          try {
            require_failpoint_variables();
          } catch (const Error& error) {
            std::_Exit(error.fault() == Fault::config ? 0 : 2);
          }
          std::_Exit(1);
        },
        testing::ExitedWithCode(0), "")
        << drill;
  }
}

}  // namespace
}  // namespace tain::failpoint_test
