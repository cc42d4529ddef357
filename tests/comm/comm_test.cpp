#include "tain/comm/comm.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tain/comm/thread_ranks.hpp"

namespace tain {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}
std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
/// Different sizes, some of them none.
std::string message(int from, int to) {
  return std::string(static_cast<std::size_t>(100 * from % 300), static_cast<char>('a' + to));
}

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, AllHaveWhatOneGave) {
  run_thread_ranks(GetParam(), [](Comm& comm) {
    for (int from = 0; from < comm.ranks(); ++from) {
      int value = 10 * comm.rank();
      comm.broadcast(std::as_writable_bytes(std::span(&value, 1)), from);
      EXPECT_EQ(value, 10 * from);
    }
    EXPECT_EQ(agreed(comm, 7 + comm.rank()), 7);
    EXPECT_EQ(comm.leads(), comm.rank() == 0);
  });
}

TEST_P(Ranks, SumsGoRoundAtTwoToThe64) {
  run_thread_ranks(GetParam(), [](Comm& comm) {
    std::vector<std::uint64_t> values{static_cast<std::uint64_t>(comm.rank()), 1,
                                      ~std::uint64_t{0}};
    comm.sum(values);
    const auto n = static_cast<std::uint64_t>(comm.ranks());
    EXPECT_EQ(values, (std::vector<std::uint64_t>{n * (n - 1) / 2, n, ~std::uint64_t{0} - n + 1}));
  });
}

TEST_P(Ranks, ARelayGoesInOrder) {
  run_thread_ranks(GetParam(), [](Comm& comm) {
    std::vector<double> state{1};
    comm.relay(std::as_writable_bytes(std::span(state)),
               [&] { state[0] = 2 * state[0] + comm.rank(); });
    double expected = 1;
    for (int r = 0; r < comm.ranks(); ++r) {
      expected = 2 * expected + r;
    }
    EXPECT_EQ(state[0], expected);
  });
}

TEST_P(Ranks, TransfersBringEverybodysBytes) {
  run_thread_ranks(GetParam(), [](Comm& comm) {
    const auto all = comm.transfer(), each = comm.transfer();
    for (int round = 0; round < 3; ++round) {
      const std::string own = message(comm.rank(), round);
      std::vector<std::string> given;
      std::vector<std::span<const std::byte>> to;
      for (int r = 0; r < comm.ranks(); ++r) {
        given.push_back(message(comm.rank() + round, r));
      }
      for (const std::string& text : given) {
        to.push_back(bytes_of(text));
      }
      all->gather(bytes_of(own));
      each->exchange(to);
      if (comm.rank() % 2 == 0) {  // in another order than they were started
        each->wait();
        while (!all->advance()) {
        }
      } else {
        all->wait();
        each->wait();
      }
      for (int r = 0; r < comm.ranks(); ++r) {
        EXPECT_EQ(text_of(all->from(r)), message(r, round));
        EXPECT_EQ(text_of(each->from(r)), message(r + round, comm.rank()));
      }
    }
  });
}

TEST_P(Ranks, CountWhatOthersSent) {
  run_thread_ranks(GetParam(), [](Comm& comm) {
    const auto all = comm.transfer();
    const std::string own(static_cast<std::size_t>(comm.rank()) + 5, 'x');
    all->gather(bytes_of(own));
    all->wait();
    std::uint64_t expected = 0;
    for (int r = 0; r < comm.ranks(); ++r) {
      expected += r == comm.rank() ? 0 : static_cast<std::uint64_t>(r) + 5;
    }
    EXPECT_EQ(comm.traffic().bytes, expected);
    EXPECT_EQ(comm.traffic().operations, 1U);
  });
}

TEST_P(Ranks, OneThatFailsStopsTheOthers) {
  const int bad = GetParam() / 2;
  EXPECT_THROW(run_thread_ranks(GetParam(),
                                [&](Comm& comm) {
                                  if (comm.rank() == bad) {
                                    throw std::runtime_error("no more");
                                  }
                                  comm.barrier();
                                  comm.barrier();
                                }),
               std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Comm, Ranks, testing::Values(1, 2, 3, 4, 7));

TEST(Alone, KeepsItsBytes) {
  Alone comm;
  const auto transfer = comm.transfer();
  const std::string own = "mine";
  transfer->gather(bytes_of(own));
  EXPECT_TRUE(transfer->advance());
  EXPECT_EQ(text_of(transfer->from(0)), "mine");
  int turns = 0;
  comm.relay({}, [&] { ++turns; });
  EXPECT_EQ(turns, 1);
}

}  // namespace
}  // namespace tain
