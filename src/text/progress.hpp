// How far work over documents has come, for those who watch it and may stop it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "tain/core/next.hpp"

namespace tain {

struct DocumentProgress {
  std::string_view phase;  ///< e.g. "counting words", "writing"
  std::uint64_t documents = 0, total = 0;
};
/// Called now and then, from the thread that asked for the work.
using DocumentObserver = std::function<Next(const DocumentProgress&)>;

}  // namespace tain
