#include "lda/engine/exchange/sharding.hpp"

#include <gtest/gtest.h>

#include "comm/thread_ranks.hpp"
#include "lda/engine/topics.hpp"

namespace tain::division_test {
namespace {

TEST(Sharding, ShardsAreBlocksAndEveryWordHasOneOwner) {
  for (const int ranks : {1, 2, 3, 5, 9}) {
    for (const std::uint32_t words : {1U, 63U, 64U, 65U, 200U, 1000U, 4096U}) {
      run_thread_ranks(ranks, [&](Comm& comm) {
        const Sharding sharding(comm, Layout::sharded, words);
        std::uint64_t next = 0;
        for (int r = 0; r < ranks; ++r) {
          const Range own = sharding.words_of(r);
          EXPECT_EQ(own.first, next);
          EXPECT_TRUE(own.first % block_words == 0 || own.empty());
          for (std::uint64_t w = own.first; w < own.end; ++w) {
            EXPECT_EQ(sharding.owner(static_cast<std::uint32_t>(w)), r) << words << " " << ranks;
          }
          next = own.end;
        }
        EXPECT_EQ(next, words);
        EXPECT_EQ(&sharding.shards(), &comm);
        EXPECT_EQ(sharding.whole(), ranks == 1);
      });
    }
  }
}

TEST(Sharding, ReplicatedRanksHaveAllWords) {
  run_thread_ranks(3, [&](Comm& comm) {
    const Sharding sharding(comm, Layout::replicated, 100);
    EXPECT_EQ(sharding.words(), (Range{0, 100}));
    EXPECT_TRUE(sharding.shards().alone());
    EXPECT_TRUE(sharding.whole());
  });
  const Sharding one(100);
  EXPECT_TRUE(one.comm().alone());
  EXPECT_TRUE(one.whole());
}

TEST(Range, HasWhatTwoHaveInCommon) {
  EXPECT_EQ(common({0, 5}, {3, 9}), (Range{3, 5}));
  EXPECT_TRUE(common({0, 3}, {5, 9}).empty());
  EXPECT_TRUE((Range{2, 4}).contains(2));
  EXPECT_FALSE((Range{2, 4}).contains(4));
}

}  // namespace
}  // namespace tain::division_test
