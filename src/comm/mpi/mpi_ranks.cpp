// Ranks as processes of MPI. Everything is started without blocking, and who waits for one thing
// moves on all others too: no rank can hold up what another one waits for.

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "comm/mpi/patience.hpp"
#include "comm/plug_in.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::size_t line = 64;
/// MPI counts by int; a message of more goes in pieces, which arrive in order.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Memory that starts at a line and only grows; what it held is lost then.
class Memory {
 public:
  std::byte* data() const { return data_.get(); }
  void hold(std::size_t bytes) {
    if (bytes > capacity_) {
      data_.reset();
      capacity_ = std::max(bytes, capacity_ + capacity_ / 2);
      data_.reset(static_cast<std::byte*>(::operator new(capacity_, std::align_val_t{line})));
    }
  }
  /// Leaves the memory to whoever may still write to it.
  void abandon() { static_cast<void>(data_.release()); }

 private:
  struct Release {
    void operator()(std::byte* data) const { ::operator delete(data, std::align_val_t{line}); }
  };
  std::unique_ptr<std::byte, Release> data_;
  std::size_t capacity_ = 0;
};

/// Calls with pieces of bytes that MPI can count.
template <class Bytes, class Call>
void by_pieces(Bytes bytes, const Call& call) {
  for (std::size_t at = 0; at < bytes.size(); at += most_bytes) {
    const Bytes piece = bytes.subspan(at, std::min(most_bytes, bytes.size() - at));
    call(piece.data(), static_cast<int>(piece.size()));
  }
}

class MpiComm;

/// First sizes go round, then messages between every two ranks that have something for each other.
class MpiTransfer final : public Transfer {
 public:
  explicit MpiTransfer(MpiComm& comm);
  ~MpiTransfer() override;
  void gather(std::span<const std::byte> own) override;
  void exchange(std::span<const std::span<const std::byte>> to) override;
  bool advance() override;
  void wait() override;
  std::span<const std::byte> from(int rank) const override {
    TAIN_EXPECTS(phase_ == Phase::complete, "a transfer that is complete");
    const auto r = static_cast<std::size_t>(rank);
    return {arrived_.data() + starts_[r], sizes_[r]};
  }

  /// Takes the next step if it can be taken now; true once complete.
  bool move();

 private:
  enum class Phase { sizes, messages, complete };
  void start();
  void start_messages();

  MpiComm& comm_;
  Phase phase_ = Phase::complete;
  int tag_ = 0;
  std::vector<std::span<const std::byte>> given_;  // by rank
  std::vector<std::uint64_t> own_sizes_, sizes_;   // by rank: for it, from it
  std::vector<std::size_t> starts_;                // by rank, in arrived_
  Memory arrived_;
  std::vector<MPI_Request> requests_;
};

class MpiComm final : public Comm {
 public:
  explicit MpiComm(void (*waiting)(double seconds)) : waiting_(waiting) {
    MPI_Comm_dup(MPI_COMM_WORLD, &blocking_);
    MPI_Comm_dup(MPI_COMM_WORLD, &sizes_);
    MPI_Comm_dup(MPI_COMM_WORLD, &messages_);
    MPI_Comm_size(blocking_, &ranks_);
    MPI_Comm_rank(blocking_, &rank_);
  }
  void leave() {
    barrier();
    for (MPI_Comm* comm : {&blocking_, &sizes_, &messages_}) {
      MPI_Comm_free(comm);
    }
  }

  int ranks() const override { return ranks_; }
  int rank() const override { return rank_; }
  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(blocking_, &request);
    await(request);
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    spread(bytes, from);
    count(rank_ == from ? 0 : bytes.size());
  }
  void sum(std::span<std::uint64_t> values) override {
    by_pieces(std::as_writable_bytes(values), [&](std::byte* piece, int size) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Iallreduce(MPI_IN_PLACE, piece, size / static_cast<int>(sizeof(std::uint64_t)),
                     MPI_UINT64_T, MPI_SUM, blocking_, &request);
      await(request);
    });
    count(values.size_bytes());
  }
  void ordered_reduce(std::span<std::byte> bytes, const std::function<void()>& turn) override {
    if (rank_ > 0) {
      by_pieces(bytes, [&](std::byte* piece, int size) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(piece, size, MPI_BYTE, rank_ - 1, 0, blocking_, &request);
        await(request);
      });
    }
    turn();
    if (rank_ + 1 < ranks_) {
      by_pieces(std::span<const std::byte>(bytes), [&](const std::byte* piece, int size) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(piece, size, MPI_BYTE, rank_ + 1, 0, blocking_, &request);
        await(request);
      });
    }
    spread(bytes, ranks_ - 1);
    count(bytes.size());
  }
  std::unique_ptr<Transfer> transfer() override { return std::make_unique<MpiTransfer>(*this); }
  Traffic traffic() const override { return traffic_; }

  MPI_Comm sizes() const { return sizes_; }
  MPI_Comm messages() const { return messages_; }
  /// Of the next transfer; all ranks start them in the same order. 32,768 is the least number of
  /// tags that MPI allows, and more than are ever under way.
  int next_tag() { return static_cast<int>(started_++ % 32768); }
  void add(MpiTransfer& transfer) { under_way_.push_back(&transfer); }
  void remove(MpiTransfer& transfer) { std::erase(under_way_, &transfer); }
  void move() {
    std::erase_if(under_way_, [](MpiTransfer* transfer) { return transfer->move(); });
  }
  template <class Done>
  void wait_until(const Done& done) {
    Patience patience(waiting_);
    for (move(); !done(); move()) {
      patience.wait();
    }
  }
  void count(std::uint64_t bytes) {
    traffic_.bytes += alone() ? 0 : bytes;
    ++traffic_.operations;
  }

 private:
  void await(MPI_Request& request) {
    wait_until([&] {
      int complete = 0;
      MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
      return complete != 0;
    });
  }
  void spread(std::span<std::byte> bytes, int from) {
    by_pieces(bytes, [&](std::byte* piece, int size) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(piece, size, MPI_BYTE, from, blocking_, &request);
      await(request);
    });
  }

  void (*waiting_)(double seconds);
  // One for each kind of operation: within a communicator all ranks must start the same in the
  // same order.
  MPI_Comm blocking_ = MPI_COMM_NULL, sizes_ = MPI_COMM_NULL, messages_ = MPI_COMM_NULL;
  int ranks_ = 1, rank_ = 0;
  std::uint64_t started_ = 0;
  std::vector<MpiTransfer*> under_way_;
  Traffic traffic_;
};

MpiTransfer::MpiTransfer(MpiComm& comm) : comm_(comm) {
  const auto ranks = static_cast<std::size_t>(comm.ranks());
  given_.resize(ranks);
  own_sizes_.resize(ranks);
  sizes_.resize(ranks);
  starts_.resize(ranks);
}

// Something failed if it is still under way: the process ends soon, and until then MPI may write.
MpiTransfer::~MpiTransfer() {
  if (phase_ != Phase::complete) {
    comm_.remove(*this);
    arrived_.abandon();
  }
}

void MpiTransfer::gather(std::span<const std::byte> own) {
  TAIN_EXPECTS(phase_ == Phase::complete, "a transfer that is complete");
  std::ranges::fill(given_, own);
  own_sizes_[0] = own.size();
  start();
  MPI_Iallgather(own_sizes_.data(), 1, MPI_UINT64_T, sizes_.data(), 1, MPI_UINT64_T, comm_.sizes(),
                 requests_.data());
}

void MpiTransfer::exchange(std::span<const std::span<const std::byte>> to) {
  TAIN_EXPECTS(phase_ == Phase::complete, "a transfer that is complete");
  TAIN_EXPECTS(to.size() == given_.size(), "bytes for every rank");
  std::ranges::copy(to, given_.begin());
  std::ranges::transform(to, own_sizes_.begin(), [](auto bytes) { return bytes.size(); });
  start();
  MPI_Ialltoall(own_sizes_.data(), 1, MPI_UINT64_T, sizes_.data(), 1, MPI_UINT64_T, comm_.sizes(),
                requests_.data());
}

void MpiTransfer::start() {
  tag_ = comm_.next_tag();
  phase_ = Phase::sizes;
  requests_.assign(1, MPI_REQUEST_NULL);
  comm_.add(*this);
}

bool MpiTransfer::move() {
  while (phase_ != Phase::complete) {
    int complete = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete,
                MPI_STATUSES_IGNORE);
    if (complete == 0) {
      return false;
    }
    if (phase_ == Phase::sizes) {
      start_messages();
      phase_ = Phase::messages;
    } else {
      phase_ = Phase::complete;
    }
  }
  return true;
}

void MpiTransfer::start_messages() {
  const int ranks = comm_.ranks(), rank = comm_.rank();
  std::size_t end = 0;
  std::uint64_t received = 0;
  for (int r = 0; r < ranks; ++r) {
    const auto i = static_cast<std::size_t>(r);
    starts_[i] = end;
    end += (sizes_[i] + line - 1) / line * line;
    received += r == rank ? 0 : sizes_[i];
  }
  arrived_.hold(end);
  comm_.count(received);
  requests_.clear();
  // Every rank begins with its neighbour, so that no rank is everybody's first.
  for (int step = 1; step < ranks; ++step) {
    const int source = (rank + ranks - step) % ranks, target = (rank + step) % ranks;
    const auto s = static_cast<std::size_t>(source);
    by_pieces(std::span(arrived_.data() + starts_[s], sizes_[s]), [&](std::byte* at, int size) {
      MPI_Irecv(at, size, MPI_BYTE, source, tag_, comm_.messages(), &requests_.emplace_back());
    });
    by_pieces(given_[static_cast<std::size_t>(target)], [&](const std::byte* at, int size) {
      MPI_Isend(at, size, MPI_BYTE, target, tag_, comm_.messages(), &requests_.emplace_back());
    });
  }
  const auto own = static_cast<std::size_t>(rank);
  if (!given_[own].empty()) {
    std::memcpy(arrived_.data() + starts_[own], given_[own].data(), given_[own].size());
  }
}

bool MpiTransfer::advance() {
  comm_.move();
  return phase_ == Phase::complete;
}

void MpiTransfer::wait() {
  comm_.wait_until([this] { return phase_ == Phase::complete; });
}

MpiComm* joined = nullptr;

Comm* join(void (*waiting)(double seconds)) {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  joined = new MpiComm(waiting);  // until the process ends: so do its callers
  return joined;
}

void leave() {
  joined->leave();
  MPI_Finalize();
}

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

constexpr RankPlugIn plug_in{rank_plug_in_version, join, leave, abort_all};

}  // namespace
}  // namespace tain

extern "C" [[gnu::visibility("default")]] const tain::RankPlugIn* tain_rank_plug_in() {
  return &tain::plug_in;
}
