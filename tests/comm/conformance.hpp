// What every Comm must do, as functions of one; all ranks call the same. They fail by gtest.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tain/comm/comm.hpp"

namespace tain::conformance {

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline void all_have_what_one_gave(Comm& comm) {
  for (int from = 0; from < comm.ranks(); ++from) {
    std::vector<int> values(1000, 10 * comm.rank());
    comm.broadcast(std::as_writable_bytes(std::span(values)), from);
    EXPECT_EQ(values, std::vector<int>(1000, 10 * from));
  }
  EXPECT_EQ(broadcast_value(comm, 7 + comm.rank()), 7);
  EXPECT_EQ(comm.is_root(), comm.rank() == 0);
  EXPECT_EQ(comm.alone(), comm.ranks() == 1);
  comm.broadcast({}, 0);
}

inline void sums_go_round_at_two_to_the_64(Comm& comm) {
  std::vector<std::uint64_t> values{static_cast<std::uint64_t>(comm.rank()), 1, ~std::uint64_t{0}};
  comm.sum(values);
  const auto n = static_cast<std::uint64_t>(comm.ranks());
  EXPECT_EQ(values, (std::vector<std::uint64_t>{n * (n - 1) / 2, n, ~std::uint64_t{0} - n + 1}));
  std::vector<std::uint64_t> many(10'000, 3);
  comm.sum(many);
  EXPECT_EQ(many, std::vector<std::uint64_t>(10'000, 3 * n));
}

inline void a_relay_goes_in_order(Comm& comm) {
  std::vector<double> state(500, comm.rank() == 0 ? 1 : -1);
  comm.ordered_reduce(std::as_writable_bytes(std::span(state)), [&] {
    for (double& value : state) {
      value = 2 * value + comm.rank();
    }
  });
  double expected = 1;
  for (int r = 0; r < comm.ranks(); ++r) {
    expected = 2 * expected + r;
  }
  EXPECT_EQ(state, std::vector<double>(500, expected));
}

/// Different sizes, some of them none, some of more than a network carries at once.
inline std::string message(int from, int to, int round) {
  constexpr std::array<std::size_t, 5> sizes{0, 100, 1, 70'001, 1'000'000};
  return std::string(sizes[static_cast<std::size_t>(from + 2 * to + round) % sizes.size()],
                     static_cast<char>('a' + (from + 3 * to + round) % 26));
}

inline void transfers_bring_everybodys_bytes(Comm& comm) {
  constexpr int anybody = 0;
  const auto all = comm.transfer(), each = comm.transfer();
  for (int round = 0; round < 7; ++round) {
    std::string own = message(comm.rank(), anybody, round);
    std::vector<std::string> given;
    std::vector<std::span<const std::byte>> to;
    for (int r = 0; r < comm.ranks(); ++r) {
      given.push_back(message(comm.rank(), r, round));
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
    std::ranges::fill(own, '-');  // what has arrived stays
    for (std::string& text : given) {
      std::ranges::fill(text, '-');
    }
    for (int r = 0; r < comm.ranks(); ++r) {
      EXPECT_EQ(text_of(all->from(r)), message(r, anybody, round));
      EXPECT_EQ(text_of(each->from(r)), message(r, comm.rank(), round));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all->from(r).data()) % 64, 0U);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(each->from(r).data()) % 64, 0U);
    }
  }
}

/// Transfers are not in the way of operations that wait, nor of each other.
inline void transfers_travel_meanwhile(Comm& comm) {
  std::vector<std::unique_ptr<Transfer>> transfers;
  std::vector<std::string> own;
  for (int i = 0; i < 5; ++i) {
    transfers.push_back(comm.transfer());
    own.push_back(message(comm.rank(), i, 3));
  }
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    transfers[i]->gather(bytes_of(own[i]));
    std::array<std::uint64_t, 1> one{1};
    comm.sum(one);
    EXPECT_EQ(one[0], static_cast<std::uint64_t>(comm.ranks()));
    transfers[0]->advance();
    comm.barrier();
  }
  for (std::size_t i = transfers.size(); i-- > 0;) {
    transfers[i]->wait();
    EXPECT_TRUE(transfers[i]->advance());
    for (int r = 0; r < comm.ranks(); ++r) {
      EXPECT_EQ(text_of(transfers[i]->from(r)), message(r, static_cast<int>(i), 3));
    }
  }
}

inline void traffic_is_what_others_sent(Comm& comm) {
  auto counted = [&, last = comm.traffic()]() mutable {
    const Traffic now = comm.traffic();
    const Traffic passed{now.bytes - last.bytes, now.operations - last.operations};
    last = now;
    return passed;
  };
  const auto transfer = comm.transfer();
  const auto n = static_cast<std::uint64_t>(comm.ranks());
  const auto rank = static_cast<std::uint64_t>(comm.rank());
  const std::string own(static_cast<std::size_t>(rank) + 5, 'x');
  transfer->gather(bytes_of(own));
  transfer->wait();
  Traffic passed = counted();
  EXPECT_EQ(passed.bytes, n * (n - 1) / 2 + 5 * n - own.size());
  EXPECT_EQ(passed.operations, 1U);

  const std::vector<std::span<const std::byte>> to(static_cast<std::size_t>(n), bytes_of(own));
  transfer->exchange(to);
  transfer->wait();
  passed = counted();
  EXPECT_EQ(passed.bytes, n * (n - 1) / 2 + 5 * n - own.size());
  EXPECT_EQ(passed.operations, 1U);

  std::array<std::uint64_t, 4> values{};
  const auto bytes = std::as_writable_bytes(std::span(values));
  comm.broadcast(bytes, comm.ranks() - 1);
  EXPECT_EQ(counted().bytes, rank + 1 == n ? 0U : 32U);
  comm.sum(values);
  comm.ordered_reduce(bytes, [] {});
  comm.barrier();
  passed = counted();
  EXPECT_EQ(passed.bytes, comm.alone() ? 0U : 64U);
  EXPECT_EQ(passed.operations, 2U);
}

struct Check {
  const char* name;
  void (*run)(Comm&);
};
inline constexpr std::array<Check, 6> checks{{
    {"AllHaveWhatOneGave", all_have_what_one_gave},
    {"SumsGoRoundAtTwoToThe64", sums_go_round_at_two_to_the_64},
    {"ARelayGoesInOrder", a_relay_goes_in_order},
    {"TransfersBringEverybodysBytes", transfers_bring_everybodys_bytes},
    {"TransfersTravelMeanwhile", transfers_travel_meanwhile},
    {"TrafficIsWhatOthersSent", traffic_is_what_others_sent},
}};

}  // namespace tain::conformance
