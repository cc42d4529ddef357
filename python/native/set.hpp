// A domain as Python holds it: the set as written, its map made when the target is known.
#pragma once

#include "domain.hpp"
#include "tain/maps/mirror_map.hpp"
#include "tain/targets/potential.hpp"

namespace tain::python {

struct Domain {
  cli::SetDescription set;
};

/// The map under which tain.sample would walk.
AnyMap make_map(const Domain& domain, const AnyPotential& target);

}  // namespace tain::python
