// The machine: its memory and its clock.
#pragma once

#include <string>

namespace tain {

/// Bytes of memory the machine has.
double machine_memory();

/// "2018-12-03T14:00:00Z".
std::string utc_now();

}  // namespace tain
