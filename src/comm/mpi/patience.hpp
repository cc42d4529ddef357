// Waiting that leaves the core to whoever has work: there may be more ranks than cores.
#pragma once

#include <sched.h>
#include <time.h>

#include <chrono>

namespace tain {

class Patience {
 public:
  explicit Patience(void (*waiting)(double seconds)) : waiting_(waiting) {}

  /// A moment. At first it only lets others go first, which costs next to nothing when there are
  /// none; who has waited long sleeps between two looks.
  void wait() {
    const Clock::duration waited = Clock::now() - start_;
    if (waited < std::chrono::milliseconds(1)) {
      sched_yield();
      return;
    }
    const timespec nap{0, 50'000};
    nanosleep(&nap, nullptr);
    waiting_(std::chrono::duration<double>(waited).count());
  }

 private:
  using Clock = std::chrono::steady_clock;

  void (*waiting_)(double seconds);
  Clock::time_point start_ = Clock::now();
};

}  // namespace tain
