// Targets that are compiled functions at an address: numba's, ctypes', or any other compiler's.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "target.hpp"

namespace tain::python {

/// Functions by the rules of target_abi.h, called without the interpreter's lock and from several
/// threads; one of the two addresses may be 0. `keep` (the Python objects behind the addresses)
/// lives as long as the target.
Target pointer_target(std::uintptr_t point, std::uintptr_t block, std::uintptr_t context,
                      std::size_t dim, const std::string& name, pybind11::object keep,
                      std::vector<std::string> names, bool log_density);

}  // namespace tain::python
