#include "tain/targets/registry.hpp"

#include <array>

namespace tain {
namespace {

constexpr std::array entries = {
    TargetEntry{"dirichlet", "Dirichlet posterior of categorical counts, on the simplex",
                "counts, alpha"},
    TargetEntry{"gaussian", "normal law restricted to the set",
                "mean, one of sd, covariance, precision"},
    TargetEntry{"uniform", "uniform law on the set", "dim"},
    TargetEntry{"linear-regression", "posterior of linear regression coefficients",
                "data, response, noise-sd, prior-sd, intercept"},
    TargetEntry{"logistic-regression", "posterior of logistic regression coefficients",
                "data, response, prior-sd, intercept"},
    TargetEntry{"./file.so", "your own, from a shared library built with tain/target_abi.h",
                "arguments, dim"},
};

}  // namespace

std::span<const TargetEntry> target_table() { return entries; }

}  // namespace tain
