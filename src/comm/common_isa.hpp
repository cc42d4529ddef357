// The instruction set for all ranks of a run: machines of a cluster may differ, and the bits of
// vector code with them.
#pragma once

#include "core/simd.hpp"
#include "tain/comm/comm.hpp"

namespace tain {

/// The widest that every rank can run and that nobody's pin forbids. Collective; give it to
/// pin_isa.
Isa common_isa(Comm& comm);

}  // namespace tain
