// Tables and verdicts as Python sees them.
#pragma once

#include <pybind11/pybind11.h>

#include "tain/diagnose/summary.hpp"

namespace tain::python {

/// The keys trust, headline and lines: pairs of (passed, sentence).
pybind11::dict verdict_dict(const Verdict& verdict);

}  // namespace tain::python
