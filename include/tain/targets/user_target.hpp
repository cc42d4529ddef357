// A target from a user's shared library, through the C interface of target_abi.h.
//
// Laws: those of Potential, as far as the user's code keeps them. A point the user's code rejects
//   gets value +inf and gradient 0; any other failure is Error (data). The library stays loaded and
//   its context alive until the last copy is gone.
// Cost: one call per block where the target has `block`, else one call and two copies per lane.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "tain/targets/potential.hpp"

namespace tain {

class SharedLibraryTarget {
 public:
  /// dim_hint: dimension of the chosen set, 0 if the target is to decide. Throws Error: no_input if
  /// the file cannot be loaded, data if it is no target (entry missing, other version of the
  /// interface, dimension 0, nothing to evaluate) or refuses its arguments.
  static SharedLibraryTarget open(const std::filesystem::path& path, const std::string& arguments,
                                  std::size_t dim_hint);

  std::string name() const;
  std::size_t dim() const;
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  struct Library;
  explicit SharedLibraryTarget(std::shared_ptr<const Library> library)
      : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
};

static_assert(Potential<SharedLibraryTarget>);

}  // namespace tain
