// Scratch memory for one thread: a stack of slabs, so that no step allocates after its first run.
//
//     Workspace::Scope scope(ws);      // what is taken below is given back where scope ends
//     Block x = ws.block(dim, lanes);  // uninitialised, aligned
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tain/core/block.hpp"

namespace tain {

class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Workspace(Workspace&&) = default;
  Workspace& operator=(Workspace&&) = default;

  Block block(std::size_t rows, std::size_t lanes) {
    return {static_cast<double*>(take(rows * lanes * sizeof(double))), rows, lanes};
  }
  FloatBlock float_block(std::size_t rows, std::size_t lanes) {
    return {static_cast<float*>(take(rows * lanes * sizeof(float))), rows, lanes};
  }
  std::span<double> array(std::size_t count) {
    return {static_cast<double*>(take(count * sizeof(double))), count};
  }
  std::span<std::uint64_t> indices(std::size_t count) {
    return {static_cast<std::uint64_t*>(take(count * sizeof(std::uint64_t))), count};
  }

  /// Shared ownership of the slab that holds this place; null where none does. While it lasts,
  /// nothing else is put into the slab: whoever is shown memory may keep it as it is.
  std::shared_ptr<const void> share(const void* place) const;

  /// How many of the lanes of a block hold anything; the rest is padding that nobody looks at. Who
  /// works lane by lane may skip it.
  std::size_t lanes_in_use(std::size_t lanes) const { return std::min(lanes, lanes_in_use_); }
  void use_lanes(std::size_t lanes) { lanes_in_use_ = lanes; }

  /// Marks the stack and the lanes in use on entry, goes back to them on exit.
  class Scope {
   public:
    explicit Scope(Workspace& workspace)
        : workspace_(workspace),
          slab_(workspace.slab_),
          used_(workspace.used_),
          lanes_in_use_(workspace.lanes_in_use_) {}
    ~Scope() {
      workspace_.slab_ = slab_;
      workspace_.used_ = used_;
      workspace_.lanes_in_use_ = lanes_in_use_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Workspace& workspace_;
    std::size_t slab_;
    std::size_t used_;
    std::size_t lanes_in_use_;
  };

 private:
  using Slab = BasicBlockStorage<std::byte>;
  void* take(std::size_t bytes);
  bool fits(std::size_t bytes) const;

  std::vector<std::shared_ptr<Slab>> slabs_;
  std::size_t slab_ = 0;  // slab in use
  std::size_t used_ = 0;  // bytes taken from it
  std::size_t lanes_in_use_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace tain
