// Laws of gammas and of steps of the process as tests see them: cells of known probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/special.hpp"
#include "gamma_reference.hpp"
#include "support/statistics.hpp"

namespace tain::testing {

/// A float is drawn where the real number is nearer to it than to its neighbours: limits lie between
/// two floats, so that rounding moves nothing across.
inline double between_floats(double x) {
  const float own = static_cast<float>(x);
  return (double{own} + double{std::nextafter(own, HUGE_VALF)}) / 2;
}

/// Ranges of theta, about equally probable, from the logarithm of the first limit on.
struct LawCells {
  std::vector<double> limits;  // logarithms
  std::vector<double> probabilities;

  /// `cdf` at log theta; limits are where it should pass i / count, nearly.
  LawCells(std::size_t count, const std::function<double(double)>& limit, double least,
           const std::function<double(double)>& cdf) {
    double below = 0;
    for (std::size_t i = 1; i < count; ++i) {
      const double log_limit = limit(double(i) / double(count));
      const double p = log_limit > least ? cdf(log_limit) : below;
      // A quarter of a share at least, and nothing that rests on the last digits of the others.
      if (p - below > 0.25 / double(count) && 1 - p > 0.25 / double(count)) {
        limits.push_back(log_limit);
        probabilities.push_back(p - below);
        below = p;
      }
    }
    probabilities.push_back(1 - below);
  }
  void add(double log_theta, std::vector<std::size_t>& counts) const {
    ++counts[static_cast<std::size_t>(std::ranges::lower_bound(limits, log_theta) -
                                      limits.begin())];
  }
};

/// Of Gamma(shape, 1), above `least`.
inline LawCells gamma_cells(double shape, std::size_t count, double least) {
  const auto limit = [=](double p) {
    const double log_theta = gamma_log_quantile(p, shape);
    return log_theta < std::log(1e-37) ? log_theta : std::log(between_floats(std::exp(log_theta)));
  };
  return {count, limit, least, [=](double log_theta) { return gamma_cdf(log_theta, shape); }};
}

/// P(theta' <= e^log_x) a step of size h after theta: Gamma(A + J) by the Poisson law of J.
inline double step_cdf(double log_x, double shape, double theta, double h) {
  const double lambda = theta / std::expm1(h), log_y = log_x - std::log(-std::expm1(-h));
  const double spread = 9 * std::sqrt(lambda) + 12;
  double sum = 0;
  for (double j = std::max(0.0, std::floor(lambda - spread)); j <= lambda + spread; ++j) {
    const double log_p = j * std::log(lambda) - lambda - std::lgamma(j + 1);
    sum += std::exp(log_p) * gamma_cdf(log_y, shape + j);
  }
  return sum;
}

/// Limits by the gamma law of the same mean and variance.
inline LawCells step_cells(double shape, double theta, double h, std::size_t count, double least) {
  const double e = std::exp(-h), gain = 1 - e;
  const double mean = theta * e + shape * gain, variance = gain * (mean + theta * e);
  const double like = mean * mean / variance;
  const auto limit = [=](double p) {
    const double log_theta = gamma_log_quantile(p, like) + std::log(mean / like);
    return log_theta < std::log(1e-37) ? log_theta : std::log(between_floats(std::exp(log_theta)));
  };
  return {count, limit, least,
          [=](double log_theta) { return step_cdf(log_theta, shape, theta, h); }};
}

/// How the cells are asked for: in float, at the common shape or at another, or in logarithms.
enum class Way { common, listed, logarithms };

/// Calls use(log theta) for n draws, or steps from `theta` of size h if that is positive.
inline void draw_gammas(Way way, double shape, std::uint64_t stream, std::size_t n,
                        const std::function<void(double)>& use, double theta = 0, double h = 0) {
  constexpr std::size_t rows = 64, lanes = 64;
  const NoiseField noise(8000 + stream);
  const auto eta = static_cast<float>(way == Way::common ? shape : 0.9 * std::min(shape, 1.0));
  const Gammas gammas(eta);
  FloatBlockStorage shapes(rows, lanes), states(rows, lanes);
  std::ranges::fill(shapes.view().flat(), static_cast<float>(shape));
  BlockStorage log_shapes(rows, lanes), logs(rows, lanes);
  std::ranges::fill(log_shapes.view().flat(), shape);
  NoisePlace place{Purpose::direct};
  for (std::size_t i = 0; i < n; ++place.step) {
    if (way == Way::logarithms && h > 0) {
      std::ranges::fill(logs.view().flat(), std::log(theta));
      log_step(noise, place, log_shapes.view(), h, logs.view());
    } else if (way == Way::logarithms) {
      log_gammas(noise, place, log_shapes.view(), logs.view());
    } else if (h > 0) {
      std::ranges::fill(states.view().flat(), static_cast<float>(theta));
      gammas.step(noise, place, shapes.view(), h, states.view(), states.view());
    } else {
      gammas.draw(noise, place, shapes.view(), states.view());
    }
    for (std::size_t c = 0; c < rows * lanes && i < n; ++c, ++i) {
      use(way == Way::logarithms ? logs.view().data()[c]
                                 : std::log(double(states.view().data()[c])));
    }
  }
}

/// Least logarithm that tells something: the floor of Gammas, or nothing.
inline double least_log(Way way) { return way == Way::logarithms ? -HUGE_VAL : std::log(1.1e-37); }

inline Counts counts_of(Way way, double shape, const LawCells& cells, double theta = 0,
                        double h = 0) {
  return [=](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> counts(cells.probabilities.size());
    draw_gammas(way, shape, stream, n, [&](double y) { cells.add(y, counts); }, theta, h);
    return counts;
  };
}

/// The distribution function at log theta. Of large shapes, whose series are long, by straight lines
/// over 7e-4 standard deviations: within 0.25 (7e-4)^2 / 8 = 2e-8.
class GammaCdf {
 public:
  explicit GammaCdf(double shape) : shape_(shape) {
    if (shape >= 100) {
      for (std::size_t i = 0; i <= 20'000; ++i) {
        table_.push_back(gamma_cdf(std::log(shape + at(i)), shape));
      }
    }
  }
  double operator()(double log_theta) const {
    if (table_.empty()) {
      return gamma_cdf(log_theta, shape_);
    }
    const double deviations = (std::exp(log_theta) - shape_) / std::sqrt(shape_);
    const double place = std::clamp((deviations + 7) / 14 * 20'000, 0.0, 19'999.0);
    const double first = std::floor(place), part = place - first;
    const auto i = static_cast<std::size_t>(first);
    return (1 - part) * table_[i] + part * table_[i + 1];
  }

 private:
  double at(std::size_t i) const { return (14.0 * double(i) / 20'000 - 7) * std::sqrt(shape_); }
  double shape_;
  std::vector<double> table_;
};

/// F(theta), uniform on [0, 1]; of what is at the floor, somewhere below.
inline Draws uniforms_of(Way way, double shape) {
  return [=, cdf = GammaCdf(shape)](std::uint64_t stream, std::size_t n) {
    std::vector<double> u;
    u.reserve(n);
    const double least = least_log(way), atom = gamma_cdf(std::max(least, -1e300), shape);
    draw_gammas(way, shape, stream, n, [&](double y) {
      u.push_back(y <= least ? atom * std::fmod(double(u.size()) * 0.6180339887498949, 1.0)
                             : cdf(y));
    });
    return u;
  };
}

inline constexpr auto uniform_cdf = [](double u) { return u; };

}  // namespace tain::testing
