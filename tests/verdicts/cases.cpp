#include "cases.hpp"

#include <algorithm>
#include <cmath>

namespace tain::verdicts {

std::string_view text_of(Class kind) {
  return kind == Class::good ? "good" : kind == Class::hostile ? "hostile" : "unknowable";
}

Target code(std::size_t dim, PointFunction V) { return target(std::move(V), dim, "own"); }

Target mixture(std::vector<Bump> bumps) {
  const std::size_t dim = bumps.front().mean.size();
  std::vector<double> offset;  // log of weight over the product of sds
  for (const Bump& bump : bumps) {
    double sum = std::log(bump.weight);
    for (const double sd : bump.sd) {
      sum -= std::log(sd);
    }
    offset.push_back(sum);
  }
  return code(dim, [bumps = std::move(bumps), offset](std::span<const double> x,
                                                      std::span<double> gradient) {
    const auto log_term = [&](std::size_t k) {
      double sum = offset[k];
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double z = (x[i] - bumps[k].mean[i]) / bumps[k].sd[i];
        sum -= 0.5 * z * z;
      }
      return sum;
    };
    double top = log_term(0);
    for (std::size_t k = 1; k < bumps.size(); ++k) {
      top = std::max(top, log_term(k));
    }
    std::ranges::fill(gradient, 0.0);
    double total = 0;
    for (std::size_t k = 0; k < bumps.size(); ++k) {
      const double share = std::exp(log_term(k) - top);
      total += share;
      for (std::size_t i = 0; i < x.size(); ++i) {
        gradient[i] += share * (x[i] - bumps[k].mean[i]) / (bumps[k].sd[i] * bumps[k].sd[i]);
      }
    }
    for (double& g : gradient) {
      g /= total;
    }
    return -top - std::log(total);
  });
}

std::vector<Bump> two_bumps(std::size_t dim, double low, double distance, double first) {
  const double step = distance / std::sqrt(double(dim));
  const std::vector<double> ones(dim, 1.0);
  return {{first, std::vector<double>(dim, low), ones},
          {1 - first, std::vector<double>(dim, low + step), ones}};
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& list :
       {set_cases, model_cases, mode_cases, shape_cases, broken_cases, unknowable_cases}) {
    std::ranges::move(list(), std::back_inserter(all));
  }
  return all;
}

}  // namespace tain::verdicts
