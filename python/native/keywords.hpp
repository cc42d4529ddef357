// Keyword arguments as options of a command: one table of flags for the program and for Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "options.hpp"

namespace tain::python {

/// Keywords are the names of flags with underscores: step_size=0.1 is --step-size 0.1. None is as
/// good as left out; lists and arrays are lists. `origin` of a value is its keyword. Throws Error
/// (usage) for a keyword that the command does not have, with the nearest one.
cli::RawOptions raw_options(const cli::Command& command, const pybind11::dict& keywords);

}  // namespace tain::python
