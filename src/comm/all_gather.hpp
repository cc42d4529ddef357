// A value of every rank, for everybody.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "tain/comm/comm.hpp"

namespace tain {

/// In the order of ranks. Collective.
template <class Value>
  requires std::is_trivially_copyable_v<Value>
std::vector<Value> all_gather(Comm& comm, const Value& own) {
  const std::unique_ptr<Transfer> transfer = comm.transfer();
  transfer->gather(std::as_bytes(std::span(&own, 1)));
  transfer->wait();
  std::vector<Value> values(static_cast<std::size_t>(comm.ranks()));
  for (int rank = 0; rank < comm.ranks(); ++rank) {
    std::memcpy(&values[static_cast<std::size_t>(rank)], transfer->from(rank).data(), sizeof own);
  }
  return values;
}

}  // namespace tain
