#include "run/draw_buffers.hpp"

#include <algorithm>

#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::size_t parcel_bytes = std::size_t{32} << 20;  // of all ranks together

// Behind the coordinates: log density, acceptance, divergent.
constexpr std::size_t facts_of_draw = 3;

}  // namespace

DrawBuffers::DrawBuffers(Comm& comm, Threads& threads, std::uint32_t chains, std::size_t primal_dim,
                         std::size_t dual_dim)
    : comm_(comm),
      threads_(threads),
      chains_(chains),
      primal_dim_(primal_dim),
      dual_dim_(dual_dim),
      to_(static_cast<std::size_t>(comm.ranks())) {
  for (Parcel& parcel : parcels_) {
    parcel.chains = chains_of_rank(chains, comm.rank(), comm.ranks());
    parcel.width = primal_dim + dual_dim + facts_of_draw;
    parcel.transfer = comm.transfer();
  }
}

std::uint64_t DrawBuffers::capacity() const {
  const std::size_t draw = chains_ * parcels_[0].width * sizeof(double);
  return std::max<std::uint64_t>(1, parcel_bytes / draw);
}

void DrawBuffers::Parcel::put(const Draw& draw) {
  const std::size_t at = (draw.chain - chains.first) * count + (draw.draw - first);
  auto out = numbers.begin() + static_cast<std::ptrdiff_t>(at * width);
  out = std::ranges::copy(draw.primal, out).out;
  out = std::ranges::copy(draw.dual, out).out;
  *out++ = draw.log_density;
  *out++ = draw.acceptance;
  *out = draw.divergent ? 1.0 : 0.0;
}

DrawSink& DrawBuffers::open(std::uint64_t first, std::uint64_t count, DrawSink& sink) {
  Parcel& parcel = parcels_[current_];
  receive(parcel, sink);
  parcel.first = first;
  parcel.count = count;
  if (comm_.is_root()) {
    return sink;
  }
  parcel.numbers.resize(parcel.chains.count * count * parcel.width);
  return parcel;
}

void DrawBuffers::send() {
  Parcel& parcel = parcels_[current_];
  if (parcel.count > 0) {
    to_[0] = std::as_bytes(std::span(parcel.numbers));
    parcel.transfer->exchange(to_);
    parcel.travels = true;
    current_ = 1 - current_;
  }
  if (parcels_[current_].travels) {
    parcels_[current_].transfer->advance();
  }
}

void DrawBuffers::settle(DrawSink& sink) {
  receive(parcels_[current_], sink);
  receive(parcels_[1 - current_], sink);
}

void DrawBuffers::receive(Parcel& parcel, DrawSink& sink) {
  if (!parcel.travels) {
    return;
  }
  parcel.transfer->wait();
  parcel.travels = false;
  if (!comm_.is_root()) {
    return;
  }
  for (int rank = 1; rank < comm_.ranks(); ++rank) {
    const ChainRange chains = chains_of_rank(chains_, rank, comm_.ranks());
    const std::span<const std::byte> bytes = parcel.transfer->from(rank);
    TAIN_EXPECTS(bytes.size() == chains.count * parcel.count * parcel.width * sizeof(double),
                 "the draws of all chains of the rank");
    const auto* numbers = reinterpret_cast<const double*>(bytes.data());
    threads_.for_each(chains.count, [&](std::size_t c) {
      for (std::uint64_t d = 0; d < parcel.count; ++d) {
        const double* draw = numbers + (c * parcel.count + d) * parcel.width;
        const double* facts = draw + primal_dim_ + dual_dim_;
        sink.put({.chain = chains.first + static_cast<std::uint32_t>(c),
                  .draw = parcel.first + d,
                  .primal = {draw, primal_dim_},
                  .dual = {draw + primal_dim_, dual_dim_},
                  .log_density = facts[0],
                  .acceptance = facts[1],
                  .divergent = facts[2] != 0});
      }
    });
  }
}

}  // namespace tain
