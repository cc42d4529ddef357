// The number of coordinates of a problem, agreed on by everything that implies one.
#pragma once

#include <cstddef>

#include "tain/core/error.hpp"
#include "tain/core/numbers.hpp"

namespace tain {

class Dimension {
 public:
  /// Throws Error (config) that names both sides when they disagree.
  void claim(std::size_t size, const Phrase& origin);
  /// Numbers imply as many coordinates as they are for, if they are not one for all.
  void claim(const Numbers& numbers, const Phrase& origin);
  Dim agreed() const { return size_; }

 private:
  Dim size_;
  Phrase origin_;
};

}  // namespace tain
