#include "comm/thread_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Starts every array at a line of the cache.
struct alignas(64) Line {
  std::byte bytes[64];
};
using Lines = std::vector<Line>;

/// Another rank has failed.
struct Stopped {};

/// Where ranks leave what the others fetch: by the number of the operation, which is the same for
/// all of them.
class Board {
 public:
  explicit Board(int ranks) : ranks_(ranks) {}
  int ranks() const { return ranks_; }

  void post(std::uint64_t operation, int rank, std::vector<std::vector<std::byte>> to) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[operation];
    entry.posted.resize(static_cast<std::size_t>(ranks_));
    entry.posted[static_cast<std::size_t>(rank)] = std::move(to);
    ++entry.count;
    changed_.notify_all();
  }
  bool complete(std::uint64_t operation) {
    const std::lock_guard lock(mutex_);
    require_all();
    return entries_[operation].count == ranks_;
  }
  /// Calls take(r, bytes that rank r left for `rank`), once all have posted.
  template <class Take>
  void fetch(std::uint64_t operation, int rank, const Take& take) {
    std::unique_lock lock(mutex_);
    Entry& entry = entries_[operation];
    changed_.wait(lock, [&] { return stopped_ || entry.count == ranks_; });
    require_all();
    for (int r = 0; r < ranks_; ++r) {
      const auto& left = entry.posted[static_cast<std::size_t>(r)];
      take(r,
           std::span<const std::byte>(left[left.size() == 1 ? 0 : static_cast<std::size_t>(rank)]));
    }
    if (++entry.fetched == ranks_) {
      entries_.erase(operation);
    }
  }
  /// Waits for the turn of a rank in a relay, and gives it what the one before left.
  void await(std::uint64_t operation, int rank, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    Entry& entry = entries_[operation];
    changed_.wait(lock, [&] { return stopped_ || entry.count == rank; });
    require_all();
    if (rank > 0) {
      std::ranges::copy(entry.posted.front().front(), bytes.begin());
    }
  }
  void pass_on(std::uint64_t operation, std::span<const std::byte> bytes) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[operation];
    entry.posted.assign(1, {{bytes.begin(), bytes.end()}});
    ++entry.count;
    changed_.notify_all();
  }
  void fetch_last(std::uint64_t operation, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    Entry& entry = entries_[operation];
    changed_.wait(lock, [&] { return stopped_ || entry.count == ranks_; });
    require_all();
    std::ranges::copy(entry.posted.front().front(), bytes.begin());
    if (++entry.fetched == ranks_) {
      entries_.erase(operation);
    }
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  struct Entry {
    std::vector<std::vector<std::vector<std::byte>>> posted;  // by rank; one for all, or one each
    int count = 0, fetched = 0;
  };
  void require_all() const {
    if (stopped_) {
      throw Stopped{};
    }
  }

  int ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Entry> entries_;
  bool stopped_ = false;
};

class ThreadComm;

class BoardTransfer final : public Transfer {
 public:
  explicit BoardTransfer(ThreadComm& comm) : comm_(comm) {}
  void gather(std::span<const std::byte> own) override;
  void exchange(std::span<const std::span<const std::byte>> to) override;
  bool advance() override;
  void wait() override;
  std::span<const std::byte> from(int rank) const override {
    TAIN_EXPECTS(!pending_, "a transfer that is complete");
    const auto& [lines, size] = arrived_[static_cast<std::size_t>(rank)];
    return std::as_bytes(std::span(lines)).first(size);
  }

 private:
  ThreadComm& comm_;
  std::uint64_t operation_ = 0;
  bool pending_ = false;
  std::vector<std::pair<Lines, std::size_t>> arrived_;
};

class ThreadComm final : public Comm {
 public:
  ThreadComm(Board& board, int rank) : board_(board), rank_(rank) {}
  int ranks() const override { return board_.ranks(); }
  int rank() const override { return rank_; }
  void barrier() override {
    const std::uint64_t operation = post({{}});
    board_.fetch(operation, rank_, [](int, std::span<const std::byte>) {});
  }
  void broadcast(std::span<std::byte> bytes, int from) override {
    std::vector<std::byte> own;
    if (rank_ == from) {
      own.assign(bytes.begin(), bytes.end());
    }
    const std::uint64_t operation = post({std::move(own)});
    board_.fetch(operation, rank_, [&](int r, std::span<const std::byte> given) {
      if (r == from) {
        TAIN_EXPECTS(given.size() == bytes.size(), "the same size on all ranks");
        std::ranges::copy(given, bytes.begin());
      }
    });
    count(rank_ == from ? 0 : bytes.size());
  }
  void sum(std::span<std::uint64_t> values) override {
    const auto own = std::as_bytes(values);
    const std::uint64_t operation = post({{own.begin(), own.end()}});
    std::ranges::fill(values, std::uint64_t{0});
    board_.fetch(operation, rank_, [&](int, std::span<const std::byte> given) {
      TAIN_EXPECTS(given.size() == own.size(), "the same size on all ranks");
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, given.data() + i * sizeof value, sizeof value);
        values[i] += value;
      }
    });
    count(own.size());
  }
  void relay(std::span<std::byte> bytes, const std::function<void()>& turn) override {
    const std::uint64_t operation = next_++;
    board_.await(operation, rank_, bytes);
    turn();
    board_.pass_on(operation, bytes);
    board_.fetch_last(operation, bytes);
    count(bytes.size());
  }
  std::unique_ptr<Transfer> transfer() override { return std::make_unique<BoardTransfer>(*this); }
  Traffic traffic() const override { return traffic_; }

  std::uint64_t post(std::vector<std::vector<std::byte>> to) {
    const std::uint64_t operation = next_++;
    board_.post(operation, rank_, std::move(to));
    return operation;
  }
  Board& board() { return board_; }
  void count(std::uint64_t bytes) {
    traffic_.bytes += alone() ? 0 : bytes;
    ++traffic_.operations;
  }

 private:
  Board& board_;
  int rank_;
  std::uint64_t next_ = 0;
  Traffic traffic_;
};

void BoardTransfer::gather(std::span<const std::byte> own) {
  operation_ = comm_.post({{own.begin(), own.end()}});
  pending_ = true;
}

void BoardTransfer::exchange(std::span<const std::span<const std::byte>> to) {
  TAIN_EXPECTS(to.size() == static_cast<std::size_t>(comm_.ranks()), "bytes for every rank");
  std::vector<std::vector<std::byte>> copies;
  for (const std::span<const std::byte> bytes : to) {
    copies.emplace_back(bytes.begin(), bytes.end());
  }
  operation_ = comm_.post(std::move(copies));
  pending_ = true;
}

bool BoardTransfer::advance() {
  if (pending_ && comm_.board().complete(operation_)) {
    wait();
  }
  return !pending_;
}

void BoardTransfer::wait() {
  if (!pending_) {
    return;
  }
  arrived_.resize(static_cast<std::size_t>(comm_.ranks()));
  std::uint64_t received = 0;
  comm_.board().fetch(operation_, comm_.rank(), [&](int r, std::span<const std::byte> bytes) {
    auto& [lines, size] = arrived_[static_cast<std::size_t>(r)];
    lines.resize((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
    size = bytes.size();
    if (size > 0) {
      std::memcpy(lines.data(), bytes.data(), size);
    }
    received += r == comm_.rank() ? 0 : size;
  });
  pending_ = false;
  comm_.count(received);
}

}  // namespace

void run_thread_ranks(int ranks, const std::function<void(Comm&)>& body) {
  TAIN_EXPECTS(ranks > 0, "at least one rank");
  Board board(ranks);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    threads.reserve(failures.size());
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        ThreadComm comm(board, rank);
        try {
          body(comm);
        } catch (const Stopped&) {
          // The rank that failed tells why.
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
          board.stop();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
}

}  // namespace tain
