// Autocovariance averaged over chains of equal length.
//
// Definition: c(t) = mean over chains of (1/n) sum_{i < n-t} u_i u_{i+t}, u centred per chain.
// Cost: few lags are summed directly, one pass each; the first lag beyond direct_lags computes all
//   of them at once by FFT. Well-mixing chains never need it. Two chains share one complex
//   transform: |F(a + i b)|^2 has the even part |F a|^2 + |F b|^2, and the odd part does not reach
//   the real part of the inverse; so the spectra of all chains are added up and inverted once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tain::diagnostics {

class Autocovariance {
 public:
  /// `centred` holds chains of n values one after another, and is borrowed until the next call.
  void load(std::span<const double> centred, std::size_t n);
  /// t in [0, n).
  double operator()(std::size_t t);

 private:
  static constexpr std::size_t direct_lags = 64;

  double direct(std::size_t t) const;
  void transform_all();
  void forward();
  void inverse();
  void make_twiddles(std::size_t size);

  std::span<const double> centred_;
  std::size_t n_ = 0;
  bool transformed_ = false;
  std::vector<double> all_;               // every lag, once transformed
  std::vector<double> real_, imaginary_;  // one transform
  std::vector<double> power_;             // sum of spectra, bit-reversed order
  std::vector<double> cosine_, sine_;     // of stage `len` at [len/2, len)
};

}  // namespace tain::diagnostics
