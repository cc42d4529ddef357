// Names of array elements: "theta[1,2]" with us, "theta.1.2" in a Stan CSV header.
#pragma once

#include <string>
#include <string_view>

namespace tain::draws {

std::string stan_name(std::string_view name);
/// Inverse of stan_name for names that have an inverse (require_stan_names).
std::string bracket_name(std::string_view column);

}  // namespace tain::draws
