#include "tain/core/workspace.hpp"

#include <algorithm>

namespace tain {

namespace {

constexpr std::size_t smallest_slab = std::size_t{1} << 16;  // bytes

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

// Slabs never move nor shrink, so what was handed out stays valid until its scope ends. A slab too
// small for a request is skipped, not freed: the same sequence of requests then finds the same
// slabs again and allocates nothing.
void* Workspace::take(std::size_t bytes) {
  bytes = round_up(bytes);
  while (slab_ < slabs_.size() && used_ + bytes > slabs_[slab_].lanes()) {
    ++slab_;
    used_ = 0;
  }
  if (slab_ == slabs_.size()) {
    const std::size_t last = slabs_.empty() ? 0 : slabs_.back().lanes();
    slabs_.emplace_back(1, std::max({bytes, 2 * last, smallest_slab}));
    used_ = 0;
  }
  void* const place = slabs_[slab_].view().data() + used_;
  used_ += bytes;
  return place;
}

}  // namespace tain
