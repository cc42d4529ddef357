#include "diagnose/autocovariance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "tain/core/error.hpp"

namespace tain::diagnostics {
namespace {

// Four partial sums in fixed order: the compiler may not reorder one sum into vectors itself.
double dot(const double* a, const double* b, std::size_t n) {
  double s[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s[0] += a[i] * b[i];
    s[1] += a[i + 1] * b[i + 1];
    s[2] += a[i + 2] * b[i + 2];
    s[3] += a[i + 3] * b[i + 3];
  }
  for (; i < n; ++i) {
    s[0] += a[i] * b[i];
  }
  return (s[0] + s[2]) + (s[1] + s[3]);
}

}  // namespace

void Autocovariance::load(std::span<const double> centred, std::size_t n) {
  TAIN_EXPECTS(n > 0 && centred.size() % n == 0, "chains of unequal length");
  centred_ = centred;
  n_ = n;
  transformed_ = false;
}

double Autocovariance::operator()(std::size_t t) {
  TAIN_EXPECTS(t < n_, "lag beyond the chain");
  if (!transformed_ && t >= direct_lags) {
    transform_all();
  }
  return transformed_ ? all_[t] : direct(t);
}

double Autocovariance::direct(std::size_t t) const {
  double sum = 0;
  for (std::size_t start = 0; start < centred_.size(); start += n_) {
    const double* u = centred_.data() + start;
    sum += dot(u, u + t, n_ - t);
  }
  return sum / static_cast<double>(centred_.size());
}

void Autocovariance::make_twiddles(std::size_t size) {
  if (cosine_.size() == size) {
    return;
  }
  cosine_.resize(size);
  sine_.resize(size);
  for (std::size_t half = 1; half < size; half *= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      const double angle = std::numbers::pi * static_cast<double>(j) / static_cast<double>(half);
      cosine_[half + j] = std::cos(angle);
      sine_[half + j] = std::sin(angle);
    }
  }
}

// Decimation in frequency leaves the spectrum bit-reversed, decimation in time takes it so: nothing
// is ever permuted.
void Autocovariance::forward() {
  const std::size_t size = real_.size();
  for (std::size_t half = size / 2; half >= 1; half /= 2) {
    for (std::size_t block = 0; block < size; block += 2 * half) {
      double* r = real_.data() + block;
      double* m = imaginary_.data() + block;
      for (std::size_t j = 0; j < half; ++j) {
        const double dr = r[j] - r[j + half], dm = m[j] - m[j + half];
        r[j] += r[j + half];
        m[j] += m[j + half];
        const double c = cosine_[half + j], s = sine_[half + j];
        r[j + half] = dr * c + dm * s;
        m[j + half] = dm * c - dr * s;
      }
    }
  }
}

void Autocovariance::inverse() {
  const std::size_t size = real_.size();
  for (std::size_t half = 1; half < size; half *= 2) {
    for (std::size_t block = 0; block < size; block += 2 * half) {
      double* r = real_.data() + block;
      double* m = imaginary_.data() + block;
      for (std::size_t j = 0; j < half; ++j) {
        const double c = cosine_[half + j], s = sine_[half + j];
        const double tr = r[j + half] * c - m[j + half] * s;
        const double tm = m[j + half] * c + r[j + half] * s;
        r[j + half] = r[j] - tr;
        m[j + half] = m[j] - tm;
        r[j] += tr;
        m[j] += tm;
      }
    }
  }
}

void Autocovariance::transform_all() {
  const std::size_t size = std::bit_ceil(2 * n_);  // zeros behind keep the ends from meeting
  make_twiddles(size);
  real_.resize(size);
  imaginary_.resize(size);
  power_.assign(size, 0.0);
  for (std::size_t start = 0; start < centred_.size(); start += 2 * n_) {
    std::ranges::fill(real_, 0.0);
    std::ranges::fill(imaginary_, 0.0);
    std::ranges::copy(centred_.subspan(start, n_), real_.begin());
    if (start + n_ < centred_.size()) {
      std::ranges::copy(centred_.subspan(start + n_, n_), imaginary_.begin());
    }
    forward();
    for (std::size_t k = 0; k < size; ++k) {
      power_[k] += real_[k] * real_[k] + imaginary_[k] * imaginary_[k];
    }
  }
  real_.swap(power_);
  std::ranges::fill(imaginary_, 0.0);
  inverse();
  all_.resize(n_);
  const double scale = 1.0 / (static_cast<double>(size) * static_cast<double>(centred_.size()));
  for (std::size_t t = 0; t < n_; ++t) {
    all_[t] = real_[t] * scale;
  }
  transformed_ = true;
}

}  // namespace tain::diagnostics
