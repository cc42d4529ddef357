#include "tain/core/workspace.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tain {

namespace {

constexpr std::size_t smallest_slab = std::size_t{1} << 16;  // bytes

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

bool Workspace::fits(std::size_t bytes) const {
  const std::shared_ptr<Slab>& slab = slabs_[slab_];
  return used_ + bytes <= slab->lanes() && slab.use_count() == 1;
}

// Slabs never move nor shrink, so what was handed out stays valid until its scope ends. A slab too
// small for a request is skipped, not freed: the same sequence of requests then finds the same
// slabs again and allocates nothing.
void* Workspace::take(std::size_t bytes) {
  bytes = round_up(bytes);
  while (slab_ < slabs_.size() && !fits(bytes)) {
    ++slab_;
    used_ = 0;
  }
  if (slab_ == slabs_.size()) {
    const std::size_t last = slabs_.empty() ? 0 : slabs_.back()->lanes();
    slabs_.push_back(std::make_shared<Slab>(1, std::max({bytes, 2 * last, smallest_slab})));
    used_ = 0;
  }
  void* const place = slabs_[slab_]->view().data() + used_;
  used_ += bytes;
  return place;
}

std::shared_ptr<const void> Workspace::share(const void* place) const {
  const auto* byte = static_cast<const std::byte*>(place);
  for (const std::shared_ptr<Slab>& slab : slabs_) {
    const std::byte* const begin = std::as_const(*slab).view().data();
    if (std::less_equal<>()(begin, byte) && std::less<>()(byte, begin + slab->lanes())) {
      return slab;
    }
  }
  return nullptr;
}

}  // namespace tain
