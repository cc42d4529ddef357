// How text for people is set: how wide, how long, in colours or not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tain {

/// What a colour says: that something is well, that it is not, that it is a heading.
enum class Paint { good, bad, strong };

struct TextStyle {
  std::size_t max_rows = 30;  ///< of a table
  std::size_t columns = 100;
  bool colours = false;

  /// In a colour, if there are any.
  std::string painted(std::string_view text, Paint paint) const;
};

}  // namespace tain
