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
    if (++turns_ < yields) {
      sched_yield();
      return;
    }
    const timespec nap{0, 50'000};
    nanosleep(&nap, nullptr);
    waiting_(std::chrono::duration<double>(Clock::now() - start_).count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int yields = 2000;  // about a millisecond with nobody else to run

  void (*waiting_)(double seconds);
  int turns_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tain
