#include "watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/sizes.hpp"
#include "interrupt.hpp"

namespace tain::python {

ProgressWatch::ProgressWatch(pybind11::object show) : show_(std::move(show)) { clear_interrupt(); }

WorkWatch ProgressWatch::work() {
  return [this](const WorkProgress& now) {
    const double share =
        now.size && *now.size > 0
            ? std::min(1.0, static_cast<double>(now.done) / static_cast<double>(*now.size))
            : 0.0;
    return look(share,
                [&] { return fmt::format("{}, {} documents", now.phase, grouped(now.documents)); });
  };
}

Next ProgressWatch::look(double share, const std::function<std::string()>& text) {
  constexpr std::chrono::milliseconds pause(100);
  const Clock::time_point now = Clock::now();
  if (!stopped_ && now - last_ >= pause) {
    last_ = now;
    stopped_ = interrupted();
    if (!stopped_ && !show_.is_none()) {
      show(text(), share);
    }
  }
  return stopped_ ? Next::stop : Next::go_on;
}

void ProgressWatch::show(const std::string& text, double share) {
  const pybind11::gil_scoped_acquire lock;
  try {
    show_(text, share);
  } catch (const pybind11::error_already_set& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) {
      throw;
    }
    stopped_ = true;  // the signal came while the line was drawn
  }
}

}  // namespace tain::python
