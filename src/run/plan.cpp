#include <fmt/format.h>

#include <cmath>

#include "tain/core/error.hpp"
#include "tain/run/sampler.hpp"

namespace tain {

double Schedule::operator()(std::uint64_t t) const {
  return exponent == 0 ? initial : initial * std::pow(1 + double(t) / offset, -exponent);
}

void validate(const SamplePlan& plan) {
  const auto require = [](bool good, std::string_view field, std::string_view problem,
                          std::string_view remedy) {
    if (!good) {
      fail(Fault::config, field, problem, remedy);
    }
  };
  require(plan.chains > 0, "chains", "must be at least 1", "use 4 or more to compare chains");
  require(plan.draws > 0, "draws", "must be at least 1", "give the number of draws per chain");
  require(plan.thin.value_or(1) > 0, "thin", "must be at least 1", "1 keeps every step");
  require(plan.draws < (std::uint64_t{1} << 47) / plan.thin.value_or(longest_automatic_thin) &&
              plan.warmup < (std::uint64_t{1} << 46),
          "draws", "warm-up plus draws times thin exceeds 2^47 steps", "ask for fewer");
  if (plan.step_size) {
    const Schedule& s = *plan.step_size;
    require(s.initial > 0 && std::isfinite(s.initial), "step-size", "must be positive and finite",
            "try auto");
    require(s.offset > 0 && std::isfinite(s.offset) && s.exponent >= 0 && std::isfinite(s.exponent),
            "step-size", "a schedule a,b,c needs b > 0 and c >= 0", "e.g. 0.1,1000,0.55");
  }
  if (plan.target_acceptance) {
    require(*plan.target_acceptance > 0 && *plan.target_acceptance < 1, "target-acceptance",
            "must lie between 0 and 1", "0.8 suits hmc, 0.574 mala");
  }
  if (plan.trajectory_length) {
    require(*plan.trajectory_length > 0 && std::isfinite(*plan.trajectory_length),
            "trajectory-length", "must be positive and finite", "leave it out to adapt it");
  }
}

}  // namespace tain
