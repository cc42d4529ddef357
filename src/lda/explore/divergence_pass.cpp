#include "lda/explore/divergence_pass.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/explore/divergence_pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using FloatVector = hn::Vec<FloatTag>;

// x = 2^e m with m from sqrt(1/2) to sqrt(2), log x = e log 2 + 2 artanh s with s = (m - 1)/(m +
// 1). |s| is below 0.1716, so the series of artanh, 1 + z/3 + z^2/5 + ... times s with z = s^2, is
// cut off at z^5/11 < 2.1e-9. Positive normal numbers only.
HWY_INLINE FloatVector float_log(FloatVector x) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> whole;
  constexpr std::int32_t root_of_half = 0x3f3504f3;  // as bits
  const auto bits = hn::BitCast(whole, x);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(whole, root_of_half)));
  const auto m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e)));
  const auto one = hn::Set(d, 1.0F);
  const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const auto z = hn::Mul(s, s);
  auto series = hn::MulAdd(z, hn::Set(d, 1.0F / 9), hn::Set(d, 1.0F / 7));
  series = hn::MulAdd(z, series, hn::Set(d, 1.0F / 5));
  series = hn::MulAdd(z, series, hn::Set(d, 1.0F / 3));
  const auto twice = hn::Add(s, s);
  const auto artanh = hn::MulAdd(hn::Mul(twice, z), series, twice);
  return hn::MulAdd(hn::ConvertTo(d, e), hn::Set(d, 0.693147181F), artanh);
}

double sum_of_mixture(const float* HWY_RESTRICT p, const float* HWY_RESTRICT q,
                      std::size_t length) {
  constexpr FloatTag d;
  constexpr std::size_t running = 16;
  const std::size_t lanes = hn::Lanes(d);
  const auto half = hn::Set(d, 0.5F);
  // Where both are 0 its logarithm is finite, and the product below any other term's rounding.
  const auto least = hn::Set(d, 1e-37F);
  alignas(64) float sums[running];
  double totals[running] = {};
  for (std::size_t i = 0; i < length; i += log_sum_granule) {
    for (std::size_t part = 0; part < running; part += lanes) {
      FloatVector sum = hn::Zero(d);
      for (std::size_t at = i + part; at < i + log_sum_granule; at += running) {
        const auto mixed = hn::Mul(hn::Add(hn::Load(d, p + at), hn::Load(d, q + at)), half);
        const auto m = hn::Max(mixed, least);
        sum = hn::MulAdd(m, float_log(m), sum);
      }
      hn::Store(sum, d, sums + part);
    }
    for (std::size_t lane = 0; lane < running; ++lane) {
      totals[lane] += static_cast<double>(sums[lane]);
    }
  }
  double total = 0;
  for (const double value : totals) {
    total += value;
  }
  return total;
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(sum_of_mixture);

double mixture_log_sum(const float* p, const float* q, std::size_t length) {
  return HWY_DYNAMIC_DISPATCH(sum_of_mixture)(p, q, length);
}

}  // namespace tain
#endif  // HWY_ONCE
