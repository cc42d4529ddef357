// Draws on their way to rank 0 while the chains go on.
//
// Definition: a parcel holds some consecutive draws of a rank's chains. Two take turns: one is
//   filled while the other travels. Rank 0 puts what arrives into its sink.
// Cost: rank 0 holds two parcels of all ranks, every other rank two of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "run/chains_of_rank.hpp"
#include "run/sink.hpp"
#include "tain/comm/comm.hpp"

namespace tain {

class DrawBuffers {
 public:
  DrawBuffers(Comm& comm, Threads& threads, std::uint32_t chains, std::size_t primal_dim,
              std::size_t dual_dim);

  /// Draws per chain that one parcel may hold: at least one.
  std::uint64_t capacity() const;
  /// Where this rank's draws first, ..., first + count - 1 are to go until send(): into a parcel
  /// or, on rank 0, into the sink.
  DrawSink& open(std::uint64_t first, std::uint64_t count, DrawSink& sink);
  /// Lets them travel, and others move on.
  void send();
  /// All that was sent is in the sink of rank 0.
  void settle(DrawSink& sink);

 private:
  struct Parcel final : DrawSink {
    void put(const Draw& draw) override;

    ChainRange chains;                   // of this rank
    std::uint64_t first = 0, count = 0;  // draws
    std::size_t width = 0;               // numbers of a draw
    std::vector<double> numbers;         // (chain, draw, number)
    std::unique_ptr<Transfer> transfer;
    bool travels = false;
  };
  void receive(Parcel& parcel, DrawSink& sink);

  Comm& comm_;
  Threads& threads_;
  std::uint32_t chains_;
  std::size_t primal_dim_, dual_dim_;
  std::array<Parcel, 2> parcels_;
  std::size_t current_ = 0;
  std::vector<std::span<const std::byte>> to_;
};

}  // namespace tain
