#include "tain/core/error.hpp"

#include <fmt/format.h>

namespace tain {

void fail(Fault fault, std::string_view where, std::string_view problem, std::string_view remedy) {
  throw Error(fault, remedy.empty() ? fmt::format("{}: {}", where, problem)
                                    : fmt::format("{}: {}; {}", where, problem, remedy));
}

}  // namespace tain
