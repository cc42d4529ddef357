#include "ranks.hpp"

namespace tain::cli {

Comm& ranks() {
  static Alone alone;
  return alone;
}

}  // namespace tain::cli
