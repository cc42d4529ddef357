#include "kernels/lane_steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lane_steps.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <cmath>

#include "core/vector_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

HWY_INLINE double scale_of(std::span<const double> scale, std::size_t i) {
  return scale.empty() ? 1.0 : scale[i];
}

void langevin_block(ConstBlock y, ConstBlock grad, ConstFloatBlock xi, double beta,
                    std::span<const double> scale, Block out) {
  const double amplitude = std::sqrt(2.0 * beta);
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const double s = scale_of(scale, i);
    const auto drift = constant(beta * s * s);
    const auto diffusion = constant(amplitude * s);
    const double* const from = y.row(i);
    const double* const slope = grad.row(i);
    const float* const noise = xi.row(i);
    double* const to = out.row(i);
    for (std::size_t l = 0; l < y.lanes(); l += width) {
      const auto moved = hn::NegMulAdd(drift, load(slope + l), load(from + l));
      store(hn::MulAdd(diffusion, load_widened(noise + l), moved), to + l);
    }
  }
}

void langevin_reverse_block(ConstBlock from, ConstBlock to, ConstBlock grad_to, double beta,
                            std::span<const double> scale, Out out) {
  fold_rows(from.rows(), from.lanes(), 0.0, out.data(),
            [=](auto total, std::size_t i, std::size_t k) {
              const double s = scale_of(scale, i);
              // The residual over sqrt(4 beta) s before squaring: no overflow for tiny s.
              const auto drift = constant(beta * s * s);
              const auto weight = constant(1.0 / (2.0 * std::sqrt(beta) * s));
              const auto step = hn::Sub(load(from.data() + k), load(to.data() + k));
              const auto z = hn::Mul(hn::MulAdd(drift, load(grad_to.data() + k), step), weight);
              return hn::MulAdd(z, z, total);
            });
}

// y += factor s_i x
HWY_INLINE void add_scaled_rows(ConstBlock x, double factor, std::span<const double> scale,
                                Block y) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const auto a = constant(factor * scale_of(scale, i));
    map(
        x.lanes(), y.row(i), [=](auto v, auto w) { return hn::MulAdd(a, v, w); }, x.row(i),
        y.row(i));
  }
}

void kick_block(ConstBlock grad, double epsilon, std::span<const double> scale, Block p) {
  add_scaled_rows(grad, -epsilon, scale, p);
}

void drift_block(ConstBlock p, double epsilon, std::span<const double> scale, Block y) {
  add_scaled_rows(p, epsilon, scale, y);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(langevin_block);
HWY_EXPORT(langevin_reverse_block);
HWY_EXPORT(kick_block);
HWY_EXPORT(drift_block);

namespace lanes {

void langevin(ConstBlock y, ConstBlock grad, ConstFloatBlock xi, double beta,
              std::span<const double> scale, Block out) {
  TAIN_EXPECTS(scale.empty() || scale.size() == y.rows(), "one scale per row");
  HWY_DYNAMIC_DISPATCH(langevin_block)(y, grad, xi, beta, scale, out);
}
void langevin_reverse(ConstBlock from, ConstBlock to, ConstBlock grad_to, double beta,
                      std::span<const double> scale, Out out) {
  TAIN_EXPECTS(scale.empty() || scale.size() == from.rows(), "one scale per row");
  HWY_DYNAMIC_DISPATCH(langevin_reverse_block)(from, to, grad_to, beta, scale, out);
}
void kick(ConstBlock grad, double epsilon, std::span<const double> scale, Block p) {
  TAIN_EXPECTS(scale.empty() || scale.size() == p.rows(), "one scale per row");
  HWY_DYNAMIC_DISPATCH(kick_block)(grad, epsilon, scale, p);
}
void drift(ConstBlock p, double epsilon, std::span<const double> scale, Block y) {
  TAIN_EXPECTS(scale.empty() || scale.size() == p.rows(), "one scale per row");
  HWY_DYNAMIC_DISPATCH(drift_block)(p, epsilon, scale, y);
}

}  // namespace lanes
}  // namespace tain
#endif  // HWY_ONCE
