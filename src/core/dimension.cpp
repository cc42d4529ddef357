#include "core/dimension.hpp"

#include <fmt/format.h>

namespace tain {
namespace {

constexpr std::size_t most_coordinates = 100'000'000;  // a point of them takes 0.8 GB

}  // namespace

void Dimension::claim(std::size_t size, const Phrase& origin) {
  if (size == 0) {
    fail(Fault::config, origin, "implies dimension 0", "give at least one coordinate");
  }
  if (size > most_coordinates) {
    fail(Fault::config, origin,
         fmt::format("implies {} coordinates, more than a run can have", size),
         fmt::format("give at most {}", most_coordinates));
  }
  if (size_ && *size_ != size) {
    Phrase problem(fmt::format("implies dimension {}, but ", size));
    problem.add(origin_).add(fmt::format(" implies {}", *size_));
    fail(Fault::config, origin, problem, "make them agree");
  }
  if (!size_) {
    size_ = size;
    origin_ = origin;
  }
}

void Dimension::claim(const Numbers& numbers, const Phrase& origin) {
  if (const Dim dim = numbers.dim()) {
    claim(*dim, origin);
  }
}

}  // namespace tain
