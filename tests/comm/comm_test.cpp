#include "tain/comm/comm.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "comm/all_gather.hpp"
#include "comm/common_isa.hpp"
#include "comm/conformance.hpp"
#include "comm/thread_ranks.hpp"

namespace tain::comm_test {
namespace {

using conformance::bytes_of;
using conformance::Check;
using conformance::text_of;

class ThreadRanks : public testing::TestWithParam<std::tuple<Check, int>> {};

TEST_P(ThreadRanks, Conform) {
  const auto [check, ranks] = GetParam();
  run_thread_ranks(ranks, check.run);
}
INSTANTIATE_TEST_SUITE_P(Comm, ThreadRanks,
                         testing::Combine(testing::ValuesIn(conformance::checks),
                                          testing::Values(1, 2, 3, 4, 7)),
                         [](const auto& tested) {
                           return std::get<0>(tested.param).name +
                                  std::to_string(std::get<1>(tested.param));
                         });

TEST(FailingRanks, StopTheOthers) {
  for (const int ranks : {1, 2, 5}) {
    EXPECT_THROW(run_thread_ranks(ranks,
                                  [&](Comm& comm) {
                                    if (comm.rank() == ranks / 2) {
                                      throw std::runtime_error("no more");
                                    }
                                    comm.barrier();
                                    comm.barrier();
                                  }),
                 std::runtime_error);
  }
}

TEST(Alone, KeepsItsBytes) {
  Alone comm;
  const auto transfer = comm.transfer();
  const std::string own = "mine";
  transfer->gather(bytes_of(own));
  EXPECT_TRUE(transfer->advance());
  EXPECT_EQ(text_of(transfer->from(0)), "mine");
  int turns = 0;
  comm.ordered_reduce({}, [&] { ++turns; });
  EXPECT_EQ(turns, 1);
}

/// Some ranks of it have a machine that can do less: they add nothing for the widest set.
class OldMachines final : public Comm {
 public:
  OldMachines(Comm& comm, bool old) : comm_(comm), old_(old) {}
  int ranks() const override { return comm_.ranks(); }
  int rank() const override { return comm_.rank(); }
  void barrier() override { comm_.barrier(); }
  void broadcast(std::span<std::byte> bytes, int from) override { comm_.broadcast(bytes, from); }
  void sum(std::span<std::uint64_t> values) override {
    for (std::size_t i = 1; old_ && i < values.size(); ++i) {
      values[i] = 0;
    }
    comm_.sum(values);
  }
  void ordered_reduce(std::span<std::byte> bytes, const std::function<void()>& turn) override {
    comm_.ordered_reduce(bytes, turn);
  }
  std::unique_ptr<Transfer> transfer() override { return comm_.transfer(); }
  Traffic traffic() const override { return comm_.traffic(); }

 private:
  Comm& comm_;
  bool old_;
};

TEST(CommonIsa, IsWhatAllRanksHave) {
  Alone alone;
  EXPECT_EQ(common_isa(alone), current_isa());
  run_thread_ranks(3, [](Comm& comm) {
    EXPECT_EQ(common_isa(comm), current_isa());
    OldMachines mixed(comm, comm.rank() == 1);
    EXPECT_EQ(common_isa(mixed), Isa::baseline);
  });
}

TEST(OfAllRanks, HasTheirValuesInOrder) {
  for (const int ranks : {1, 2, 5}) {
    run_thread_ranks(ranks, [](Comm& comm) {
      const std::vector<int> values = all_gather(comm, 3 * comm.rank() + 1);
      ASSERT_EQ(values.size(), static_cast<std::size_t>(comm.ranks()));
      for (int r = 0; r < comm.ranks(); ++r) {
        EXPECT_EQ(values[static_cast<std::size_t>(r)], 3 * r + 1);
      }
    });
  }
}

}  // namespace
}  // namespace tain::comm_test
