// All that a baseline in the primal space knows of its set.
#pragma once

#include <functional>

#include "tain/core/block.hpp"
#include "tain/core/workspace.hpp"

namespace tain {

/// (x, out, scratch): the nearest point of a set, per lane; out may be x (maps/projection.hpp).
using PointProjection = std::function<void(ConstBlock x, Block out, Workspace& ws)>;

}  // namespace tain
