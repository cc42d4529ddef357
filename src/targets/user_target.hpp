// A target in foreign code, through the C interface of target_abi.h: from a shared library, or
// functions at addresses in this process (compiled at run time, say).
//
// Laws: those of Potential, as far as the user's code keeps them. A point the user's code rejects
//   gets value +inf (of log p: -inf) and gradient 0; any other failure is Error (data). A value that is not written
//   is NaN. What the code needs (library, context) stays alive until the last copy is gone.
// Cost: one call per block where the target has `block`, else one call and two copies per lane.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "tain/target_abi.h"
#include "tain/targets/potential.hpp"

namespace tain {

class LibraryTarget {
 public:
  /// dim_hint: dimension of the chosen set, 0 if the target is to decide. Throws Error: no_input if
  /// the file cannot be loaded, data if it is no target (entry missing, other version of the
  /// interface, dimension 0, nothing to evaluate) or refuses its arguments.
  static LibraryTarget open(const std::filesystem::path& path, const std::string& arguments,
                            std::size_t dim_hint);
  /// A target as a library would describe it. `keep` lives as long as the target and goes after
  /// `destroy`. Throws Error (data) where the description is wrong.
  static LibraryTarget of_functions(const tain_target& target, std::shared_ptr<const void> keep,
                                    bool log_density = false);

  std::string name() const;
  std::size_t dim() const;
  /// Are value and gradient those of log p? evaluate() writes them as they are.
  bool gives_log_density() const;
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;

 private:
  struct Code;
  explicit LibraryTarget(std::shared_ptr<const Code> code) : code_(std::move(code)) {}
  std::shared_ptr<const Code> code_;
};

static_assert(Potential<LibraryTarget>);

}  // namespace tain
