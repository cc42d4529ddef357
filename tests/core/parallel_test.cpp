#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tain/core/error.hpp"

namespace tain::parallel_test {
namespace {

TEST(Threads, VisitEveryIndexOnce) {
  for (const std::size_t count : {1, 2, 7}) {
    Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (const std::size_t n : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> visits(n);
      threads.for_each(n, [&](std::size_t i) { ++visits[i]; });
      for (const auto& visit : visits) {
        EXPECT_EQ(visit.load(), 1);
      }
    }
  }
}

TEST(Threads, AreAsManyAsAskedFor) {
  // Four bodies that wait for each other can only end if four threads run them.
  Threads threads(4);
  std::atomic<int> arrived{0};
  threads.for_each(4, [&](std::size_t) {
    ++arrived;
    while (arrived.load() < 4) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(arrived.load(), 4);
}

TEST(Threads, PassExceptionsOn) {
  for (const std::size_t count : {1, 3}) {
    Threads threads(count);
    EXPECT_THROW(threads.for_each(100,
                                  [](std::size_t i) {
                                    if (i == 42) {
                                      fail(Fault::data, "body", "number 42");
                                    }
                                  }),
                 Error);
  }
}

TEST(Threads, ZeroMeansTheMachine) { EXPECT_GE(Threads().count(), 1u); }

}  // namespace
}  // namespace tain::parallel_test
