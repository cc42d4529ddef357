#include "interrupt.hpp"

#include <pybind11/pybind11.h>

#include <atomic>

namespace tain::python {
namespace {

std::atomic<bool> noted = false;  // signals belong to the process

}  // namespace

void clear_interrupt() { noted = false; }

void note_interrupt() { noted = true; }

bool interrupted() {
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

}  // namespace tain::python
