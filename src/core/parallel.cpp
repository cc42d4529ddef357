#include "core/parallel.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <optional>

#include "core/sizes.hpp"
#include "tain/core/error.hpp"

#ifdef __SANITIZE_THREAD__
#include <atomic>
#include <thread>
#include <vector>
#endif

namespace tain {

#ifdef __SANITIZE_THREAD__
namespace {
// The thread sanitizer cannot see into the packaged TBB and would report its hand-overs as races;
// plain threads let it watch the bodies.
void on_plain_threads(std::size_t threads, std::size_t n,
                      const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (std::size_t k = 0; k < std::min(threads, n); ++k) {
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < n; i = next++) {
        body(i);
      }
    });
  }
}
}  // namespace
#endif

namespace {

/// The child of a fork has none of TBB's workers, whom TBB would wait for: it works by itself.
bool is_forked() {
  static const pid_t first = ::getpid();  // that has made a pool
  return ::getpid() != first;
}

}  // namespace

// TBB offers no more workers than the machine has cores; the control raises that when more are
// asked for, so that eight threads are eight on any machine. It never lowers it: the smallest of
// all live controls would bind every pool of the process.
struct Threads::Arena {
  explicit Arena(std::size_t count) : threads(count) {
    if (is_forked()) {
      return;
    }
    if (threads > static_cast<std::size_t>(tbb::info::default_concurrency())) {
      control.emplace(tbb::global_control::max_allowed_parallelism, threads);
    }
    arena.emplace(static_cast<int>(threads));
  }
  std::size_t threads;
  std::optional<tbb::global_control> control;
  std::optional<tbb::task_arena> arena;  // none in the child of a fork
};

Threads::Threads(std::size_t threads) {
  if (threads > most_threads) {
    fail(Fault::config, Field{"threads"}, "is more than " + grouped(most_threads),
         "give a smaller number");
  }
  arena_ = new Arena(threads == 0 ? static_cast<std::size_t>(tbb::info::default_concurrency())
                                  : threads);
}

Threads::~Threads() {
  if (!arena_->arena || !is_forked()) {  // else it would wait for its workers
    delete arena_;
  }
}

std::size_t Threads::count() const { return arena_->threads; }

void Threads::for_each(std::size_t n, const std::function<void(std::size_t)>& body) {
  if (n == 0) {
    return;
  }
  if (n == 1 || count() == 1 || is_forked()) {
    for (std::size_t i = 0; i < n; ++i) {
      body(i);
    }
    return;
  }
#ifdef __SANITIZE_THREAD__
  return on_plain_threads(count(), n, body);
#endif
  arena_->arena->execute([&] {
    // One index per task: bodies are whole blocks of chains, large against a task's overhead, and
    // uneven, so that stealing single ones balances best.
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i != range.end(); ++i) {
            body(i);
          }
        },
        tbb::simple_partitioner());
  });
}

}  // namespace tain
