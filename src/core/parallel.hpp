// Threads, behind one door. Only this file's source knows oneTBB.
#pragma once

#include <cstddef>
#include <functional>

namespace tain {

/// More help nobody, and a machine may refuse them.
inline constexpr std::size_t most_threads = 1024;

/// A pool of `threads` workers (0: as many as the machine has). Bodies must write to disjoint
/// places; results must not depend on which thread runs which index.
class Threads {
 public:
  /// Throws Error (config) for more than most_threads.
  explicit Threads(std::size_t threads = 0);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  std::size_t count() const;
  /// Calls body(i) for i in [0, n), in any order, and waits. Exceptions of a body reach the caller.
  void for_each(std::size_t n, const std::function<void(std::size_t)>& body);

 private:
  struct Arena;
  Arena* arena_;
};

}  // namespace tain
