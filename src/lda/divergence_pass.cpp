#include "lda/divergence_pass.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/divergence_pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

double sum_of_mixture(const float* HWY_RESTRICT p, const float* HWY_RESTRICT q,
                      std::size_t length) {
  constexpr DoubleTag d;
  constexpr hn::Rebind<float, DoubleTag> half;
  constexpr std::size_t running = 8, lanes = hn::MaxLanes(d), parts = running / lanes;
  const auto half_of = hn::Set(d, 0.5);
  // Where both are 0 its logarithm is finite, and the product below any other term's rounding.
  const auto least = hn::Set(d, 1e-300);
  DoubleVector sums[parts];
  for (std::size_t part = 0; part < parts; ++part) {
    sums[part] = hn::Zero(d);
  }
  for (std::size_t i = 0; i < length; i += running) {
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t at = i + part * lanes;
      const auto sum = hn::Add(hn::PromoteTo(d, hn::Load(half, p + at)),
                               hn::PromoteTo(d, hn::Load(half, q + at)));
      const auto m = hn::Max(hn::Mul(sum, half_of), least);
      sums[part] = hn::MulAdd(m, log_vector(m), sums[part]);
    }
  }
  alignas(64) double totals[running];
  for (std::size_t part = 0; part < parts; ++part) {
    hn::Store(sums[part], d, totals + part * lanes);
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
