#include "tain/core/workspace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>

#include "tain/core/error.hpp"

namespace tain::workspace_test {
namespace {

TEST(Workspace, GivesAlignedDisjointMemory) {
  Workspace ws;
  const Block a = ws.block(3, 8);
  const FloatBlock b = ws.float_block(5, 8);
  const std::span<double> c = ws.array(1);
  for (const void* p :
       {static_cast<void*>(a.data()), static_cast<void*>(b.data()), static_cast<void*>(c.data())}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignment, 0u);
  }
  std::fill(a.flat().begin(), a.flat().end(), 1.0);
  std::fill(b.flat().begin(), b.flat().end(), 2.0f);
  c[0] = 3.0;
  EXPECT_EQ(a.at(2, 7), 1.0);
  EXPECT_EQ(b.at(4, 7), 2.0f);
}

// The same requests find the same memory again: nothing is allocated after the first run.
TEST(Workspace, ReusesMemoryAfterAScope) {
  Workspace ws;
  const auto step = [&] {
    Workspace::Scope scope(ws);
    std::vector<const void*> places{ws.block(100, 64).data(), ws.block(10'000, 64).data(),
                                    ws.array(3).data()};
    {
      Workspace::Scope inner(ws);
      places.push_back(ws.block(50'000, 8).data());
    }
    places.push_back(ws.array(5).data());
    return places;
  };
  const auto first = step();
  EXPECT_EQ(step(), first);
  EXPECT_EQ(step(), first);
}

TEST(Workspace, GrowingKeepsWhatIsOut) {
  Workspace ws;
  const std::span<double> kept = ws.array(4);
  kept[0] = 42.0;
  std::set<double*> seen;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(seen.insert(ws.block(1000, 64).data()).second);
  }
  EXPECT_EQ(kept[0], 42.0);
}

TEST(Error, ReadsWhereWhatAndRemedy) {
  try {
    fail(Fault::data, "corpus.txt:3", "count is negative", "check the file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "corpus.txt:3: count is negative; check the file");
    EXPECT_EQ(error.fault(), Fault::data);
  }
  EXPECT_THROW(
      {
        try {
          fail(Fault::io, "a", "b");
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "a: b");
          throw;
        }
      },
      Error);
}

TEST(Workspace, SharedMemoryIsLeftAlone) {
  Workspace ws;
  std::shared_ptr<const void> shared;
  const double* kept = nullptr;
  {
    const Workspace::Scope scope(ws);
    const std::span<double> array = ws.array(100);
    array[7] = 42;
    kept = array.data();
    shared = ws.share(array.data() + 7);
  }
  ASSERT_NE(shared, nullptr);
  for (int round = 0; round < 3; ++round) {
    const Workspace::Scope scope(ws);
    const std::span<double> other = ws.array(100);
    EXPECT_NE(other.data(), kept);
    std::ranges::fill(other, -1.0);
  }
  EXPECT_EQ(kept[7], 42);
  shared.reset();
  const Workspace::Scope scope(ws);
  EXPECT_EQ(ws.array(100).data(), kept) << "what nobody shares is used again";
}

TEST(Workspace, SharedMemoryOutlivesIt) {
  std::shared_ptr<const void> shared;
  const double* kept = nullptr;
  {
    Workspace ws;
    const std::span<double> array = ws.array(10);
    array[3] = 5;
    kept = array.data();
    shared = ws.share(kept);
    double elsewhere = 0;
    EXPECT_EQ(ws.share(&elsewhere), nullptr);
  }
  EXPECT_EQ(kept[3], 5);
}

}  // namespace
}  // namespace tain::workspace_test
