// The ranks that this process is one of.
#pragma once

#include "tain/comm/comm.hpp"

namespace tain::cli {

/// All ranks of the run: this process by itself, unless a launcher started several.
Comm& ranks();

}  // namespace tain::cli
