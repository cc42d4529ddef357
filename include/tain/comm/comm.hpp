// Ranks: the processes of one run, and the only way by which they exchange anything.
//
// Definition: a run has ranks 0 ... n - 1, each of them one Comm. Every operation is collective:
//   all ranks call the same ones in the same order. What has to be added up travels as whole
//   numbers, which any order of adding leaves the same; sums of floating point are taken in turns
//   (relay), one rank after the other.
// Laws: what an operation gives depends on what the ranks gave, not on when. A rank that fails
//   takes the others with it: nobody waits for ever.
// Cost: bytes that came from other ranks are counted, by payload: see traffic().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

namespace tain {

/// Bytes between ranks that travel while their rank does other work. Meant to be used again: what
/// arrived stays, and its memory, until the next start.
class Transfer {
 public:
  Transfer() = default;
  virtual ~Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Starts to give every rank the bytes of all. They must stay as they are until complete.
  virtual void gather(std::span<const std::byte> own) = 0;
  /// Starts to give bytes to[r] to rank r. They must stay as they are until complete.
  virtual void exchange(std::span<const std::span<const std::byte>> to) = 0;
  /// Moves on what can be moved without waiting; true once all is there. To be called now and then
  /// from between pieces of work.
  virtual bool advance() = 0;
  /// Waits until all is there.
  virtual void wait() = 0;
  /// What rank r gave; advance() was true or wait() is over. Aligned for any type of 64 bytes or
  /// less.
  virtual std::span<const std::byte> from(int rank) const = 0;
};

/// Payload that came from other ranks, since the Comm was made. Sums and relays count their own
/// size once, however many messages carry them.
struct Traffic {
  std::uint64_t bytes = 0;
  std::uint64_t operations = 0;
};

class Comm {
 public:
  Comm() = default;
  virtual ~Comm() = default;
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;

  virtual int ranks() const = 0;
  virtual int rank() const = 0;
  /// Waits until all ranks are here.
  virtual void barrier() = 0;
  /// Everybody has the bytes of rank `from` afterwards.
  virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
  /// Everybody has the sums over ranks afterwards, modulo 2^64.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// Rank after rank, 0 first, changes the bytes that the one before left by its `turn`; everybody
  /// has the last ones afterwards. All give the same size, rank 0 the first bytes.
  virtual void ordered_reduce(std::span<std::byte> bytes, const std::function<void()>& turn) = 0;
  /// All ranks make the same transfers in the same order, and start them in the same order. The
  /// Comm must outlive them.
  virtual std::unique_ptr<Transfer> transfer() = 0;
  virtual Traffic traffic() const = 0;

  bool alone() const { return ranks() == 1; }
  bool is_root() const { return rank() == 0; }
};

/// A process by itself: every operation is done at once.
class Alone final : public Comm {
 public:
  int ranks() const override { return 1; }
  int rank() const override { return 0; }
  void barrier() override {}
  void broadcast(std::span<std::byte>, int) override {}
  void sum(std::span<std::uint64_t>) override {}
  void ordered_reduce(std::span<std::byte>, const std::function<void()>& turn) override { turn(); }
  std::unique_ptr<Transfer> transfer() override;
  Traffic traffic() const override { return {}; }
};

/// One value of rank 0 for everybody.
template <class Value>
  requires std::is_trivially_copyable_v<Value>
Value broadcast_value(Comm& comm, Value value) {
  comm.broadcast(std::as_writable_bytes(std::span(&value, 1)), 0);
  return value;
}

}  // namespace tain
