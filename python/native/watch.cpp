#include "watch.hpp"

#include "interrupt.hpp"

namespace tain::python {

Watch::Watch(pybind11::object show) : show_(std::move(show)) { clear_interrupt(); }

Next Watch::look(double share, const std::function<std::string()>& text) {
  constexpr std::chrono::milliseconds pause(100);
  const Clock::time_point now = Clock::now();
  if (!stopped_ && now - last_ >= pause) {
    last_ = now;
    stopped_ = interrupted();
    if (!stopped_ && !show_.is_none()) {
      const pybind11::gil_scoped_acquire lock;
      show_(text(), share);
    }
  }
  return stopped_ ? Next::stop : Next::go_on;
}

}  // namespace tain::python
