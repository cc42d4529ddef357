// Elementwise arithmetic and reductions over coordinates.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes_arithmetic.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <limits>

#include "core/vector_loops-inl.hpp"
#include "core/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

void sqrt_span(In x, Out out) {
  map(out.size(), out.data(), [](auto v) { return hn::Sqrt(v); }, x.data());
}

void multiply_span(In a, In b, Out out) {
  map(out.size(), out.data(), [](auto v, auto w) { return hn::Mul(v, w); }, a.data(), b.data());
}

void divide_span(In a, In b, Out out) {
  map(out.size(), out.data(), [](auto v, auto w) { return hn::Div(v, w); }, a.data(), b.data());
}

void affine_span(In x, double scale, double shift, Out out) {
  const auto a = constant(scale);
  const auto b = constant(shift);
  map(out.size(), out.data(), [=](auto v) { return hn::MulAdd(v, a, b); }, x.data());
}

void add_scaled_span(double a, In x, Out y) {
  const auto factor = constant(a);
  map(
      y.size(), y.data(), [=](auto v, auto w) { return hn::MulAdd(factor, v, w); }, x.data(),
      y.data());
}

void add_product_span(In a, In b, Out y) {
  map(
      y.size(), y.data(), [](auto u, auto v, auto w) { return hn::MulAdd(u, v, w); }, a.data(),
      b.data(), y.data());
}

void clamp_span(In x, double low, double high, Out out) {
  map(out.size(), out.data(), [=](auto v) { return clamp_vector(v, low, high); }, x.data());
}

void sum_block(ConstBlock x, Out out) {
  const double* const data = x.data();
  fold_rows(x.rows(), x.lanes(), 0.0, out.data(),
            [=](auto total, std::size_t, std::size_t k) { return hn::Add(total, load(data + k)); });
}

void dot_block(ConstBlock a, ConstBlock b, Out out) {
  const double* const left = a.data();
  const double* const right = b.data();
  fold_rows(a.rows(), a.lanes(), 0.0, out.data(), [=](auto total, std::size_t, std::size_t k) {
    return hn::MulAdd(load(left + k), load(right + k), total);
  });
}

void weighted_sum_block(std::span<const double> w, ConstBlock x, Out out) {
  const double* const weights = w.data();
  const double* const data = x.data();
  fold_rows(x.rows(), x.lanes(), 0.0, out.data(), [=](auto total, std::size_t i, std::size_t k) {
    return hn::MulAdd(constant(weights[i]), load(data + k), total);
  });
}

// NaN wins: it replaces the maximum, and nothing compares greater than it.
void max_block(ConstBlock x, Out out) {
  const double* const data = x.data();
  fold_rows(x.rows(), x.lanes(), -std::numeric_limits<double>::infinity(), out.data(),
            [=](auto largest, std::size_t, std::size_t k) {
              const auto v = load(data + k);
              return hn::IfThenElse(hn::Or(hn::Gt(v, largest), hn::IsNaN(v)), v, largest);
            });
}

void all_finite_block(ConstBlock x, Out out) {
  const double* const data = x.data();
  fold_rows(x.rows(), x.lanes(), 1.0, out.data(), [=](auto so_far, std::size_t, std::size_t k) {
    // |NaN| <= max is false too.
    const auto bound = constant(std::numeric_limits<double>::max());
    return hn::IfThenElseZero(hn::Le(hn::Abs(load(data + k)), bound), so_far);
  });
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace tain {

HWY_EXPORT(sqrt_span);
HWY_EXPORT(multiply_span);
HWY_EXPORT(divide_span);
HWY_EXPORT(affine_span);
HWY_EXPORT(add_scaled_span);
HWY_EXPORT(add_product_span);
HWY_EXPORT(clamp_span);
HWY_EXPORT(sum_block);
HWY_EXPORT(dot_block);
HWY_EXPORT(weighted_sum_block);
HWY_EXPORT(max_block);
HWY_EXPORT(all_finite_block);

namespace lanes {

void sqrt(In x, Out out) { HWY_DYNAMIC_DISPATCH(sqrt_span)(x, out); }
void multiply(In a, In b, Out out) { HWY_DYNAMIC_DISPATCH(multiply_span)(a, b, out); }
void divide(In a, In b, Out out) { HWY_DYNAMIC_DISPATCH(divide_span)(a, b, out); }
void affine(In x, double scale, double shift, Out out) {
  HWY_DYNAMIC_DISPATCH(affine_span)(x, scale, shift, out);
}
void add_scaled(double a, In x, Out y) { HWY_DYNAMIC_DISPATCH(add_scaled_span)(a, x, y); }
void add_product(In a, In b, Out y) { HWY_DYNAMIC_DISPATCH(add_product_span)(a, b, y); }
void fill(double value, Out out) { std::fill(out.begin(), out.end(), value); }
void copy(In x, Out out) {
  if (x.data() != out.data()) {
    std::copy(x.begin(), x.end(), out.begin());
  }
}
void clamp(In x, double low, double high, Out out) {
  HWY_DYNAMIC_DISPATCH(clamp_span)(x, low, high, out);
}
void sum(ConstBlock x, Out out) { HWY_DYNAMIC_DISPATCH(sum_block)(x, out); }
void dot(ConstBlock a, ConstBlock b, Out out) { HWY_DYNAMIC_DISPATCH(dot_block)(a, b, out); }
void weighted_sum(std::span<const double> w, ConstBlock x, Out out) {
  TAIN_EXPECTS(w.size() == x.rows(), "one weight per row");
  HWY_DYNAMIC_DISPATCH(weighted_sum_block)(w, x, out);
}
void max(ConstBlock x, Out out) { HWY_DYNAMIC_DISPATCH(max_block)(x, out); }
void all_finite(ConstBlock x, Out out) { HWY_DYNAMIC_DISPATCH(all_finite_block)(x, out); }

}  // namespace lanes
}  // namespace tain
#endif  // HWY_ONCE
