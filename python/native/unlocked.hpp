// Native work without the interpreter's lock, and its end when the interpreter ends.
//
// A thread that asks for the lock of an interpreter that is being taken down is ended on the spot,
// with everything that C++ has on its stack: the end of the process. Threads that nobody joins
// (daemons) may be at work then. So the interpreter, before it goes, asks all work to stop, and
// waits for it.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

namespace tain::python {

/// Holds no lock while it lives. Throws Error (interrupted) where the interpreter is ending.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<pybind11::gil_scoped_release> released_;
};

/// Is the interpreter about to go?
bool is_ending();
/// For the interpreter's atexit and for the child of a fork, in which the work of others is not.
void watch_interpreter();

}  // namespace tain::python
