// Progress of native work, shown by a Python function, and Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <string>

#include "tain/core/progress.hpp"

namespace tain::python {

/// Made with the interpreter's lock held; look() is called without it, by one thread.
class ProgressWatch {
 public:
  /// `show`: a function of (text, share), or None.
  explicit ProgressWatch(pybind11::object show);

  /// About ten times a second shows what `text` says of the share that is done, and looks for
  /// Ctrl-C. Stop from the first one on.
  Next look(double share, const std::function<std::string()>& text);
  /// The same as a function, which must not outlive this: "writing, 1,234 documents".
  WorkWatch work();
  /// Did Ctrl-C stop it?
  bool stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const std::string& text, double share);

  pybind11::object show_;
  Clock::time_point last_ = Clock::now();
  bool stopped_ = false;
};

}  // namespace tain::python
