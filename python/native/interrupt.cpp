#include "interrupt.hpp"

#include <pybind11/pybind11.h>

#include <atomic>

#include "tain/core/error.hpp"
#include "unlocked.hpp"

namespace tain::python {
namespace {

std::atomic<bool> noted = false;  // signals belong to the process

}  // namespace

void clear_interrupt() { noted = false; }

void note_interrupt() { noted = true; }

bool interrupted() {
  if (is_ending()) {
    return true;
  }
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) {
      throw pybind11::error_already_set();
    }
    PyErr_Clear();
    noted = true;
  }
  return noted;
}

void look_while_waiting(const std::string& name) {
  if (is_ending()) {
    fail(Fault::interrupted, name, "the interpreter is ending");
  }
  const pybind11::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    throw pybind11::error_already_set();
  }
}

}  // namespace tain::python
