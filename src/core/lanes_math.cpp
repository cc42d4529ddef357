// Elementary functions, softmax and log-sum-exp.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes_math.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/vector_loops-inl.hpp"
#include "core/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

void exp_span(In x, Out out) {
  map(out.size(), out.data(), [](auto v) { return exp_vector(v); }, x.data());
}

void log_span(In x, Out out) {
  map(out.size(), out.data(), [](auto v) { return log_vector(v); }, x.data());
}

void tanh_span(In x, Out out) {
  map(out.size(), out.data(), [](auto v) { return tanh_vector(v); }, x.data());
}

// max(x, 0) + log(1 + e^-|x|), with NaN kept by the sum.
void softplus_span(In x, Out out) {
  map(
      out.size(), out.data(),
      [](auto v) {
        const DoubleTag d;
        const auto tail = log1p_vector(exp_vector(hn::Neg(hn::Abs(v))));
        return hn::Add(hn::IfThenElse(hn::Lt(v, hn::Zero(d)), hn::Zero(d), v), tail);
      },
      x.data());
}

void log_cosh_span(In x, Out out) {
  map(
      out.size(), out.data(),
      [](auto v) {
        const auto magnitude = hn::Abs(v);
        const auto tail = log1p_vector(exp_vector(hn::Mul(magnitude, constant(-2.0))));
        return hn::Add(magnitude, hn::Sub(tail, constant(0.6931471805599453)));
      },
      x.data());
}

// 4 e / (1 + e)^2 with e = e^-2|x|.
void sech_squared_span(In x, Out out) {
  map(
      out.size(), out.data(),
      [](auto v) {
        const auto e = exp_vector(hn::Mul(hn::Abs(v), constant(-2.0)));
        const auto sum = hn::Add(e, constant(1.0));
        return hn::Div(hn::Mul(e, constant(4.0)), hn::Mul(sum, sum));
      },
      x.data());
}

// The largest element of each of `Columns` neighbouring columns, or 0 where that is -infinity, so
// that subtracting it never gives NaN. NaN elements are passed over: the sum meets them again.
template <std::size_t Columns>
HWY_INLINE void shifts(ConstBlock y, std::size_t l, DoubleVector (&shift)[Columns]) {
  const auto lowest = constant(-std::numeric_limits<double>::infinity());
  for (auto& s : shift) {
    s = lowest;
  }
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < Columns; ++c) {
      shift[c] = larger(load(y.row(i) + l + c * width), shift[c]);
    }
  }
  for (auto& s : shift) {
    s = hn::IfThenElse(hn::Eq(s, lowest), constant(0.0), s);
  }
}

template <std::size_t Columns>
HWY_INLINE void softmax_columns(ConstBlock y, Block x, double* lse, std::size_t l) {
  DoubleVector shift[Columns];
  shifts(y, l, shift);
  DoubleVector sum[Columns];
  for (auto& s : sum) {
    s = constant(0.0);
  }
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < Columns; ++c) {
      const auto e = exp_of_negative(hn::Sub(load(y.row(i) + l + c * width), shift[c]));
      sum[c] = hn::Add(sum[c], e);
      store(e, x.row(i) + l + c * width);
    }
  }
  DoubleVector factor[Columns];
  for (std::size_t c = 0; c < Columns; ++c) {
    factor[c] = hn::Div(constant(1.0), sum[c]);
    store(hn::Add(shift[c], log_vector(sum[c])), lse + l + c * width);
  }
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < Columns; ++c) {
      double* const place = x.row(i) + l + c * width;
      store(hn::Mul(load(place), factor[c]), place);
    }
  }
}

template <std::size_t Columns>
HWY_INLINE void log_sum_exp_columns(ConstBlock y, double* lse, std::size_t l) {
  DoubleVector shift[Columns];
  shifts(y, l, shift);
  DoubleVector sum[Columns];
  for (auto& s : sum) {
    s = constant(0.0);
  }
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < Columns; ++c) {
      sum[c] = hn::Add(sum[c], exp_of_negative(hn::Sub(load(y.row(i) + l + c * width), shift[c])));
    }
  }
  for (std::size_t c = 0; c < Columns; ++c) {
    store(hn::Add(shift[c], log_vector(sum[c])), lse + l + c * width);
  }
}

// Columns side by side: enough independent work to hide latency, few enough to stay in registers.
inline constexpr std::size_t side_by_side = 4;

void softmax_block(ConstBlock y, Block x, Out lse) {
  std::size_t l = 0;
  for (; l + side_by_side * width <= y.lanes(); l += side_by_side * width) {
    softmax_columns<side_by_side>(y, x, lse.data(), l);
  }
  for (; l < y.lanes(); l += width) {
    softmax_columns<1>(y, x, lse.data(), l);
  }
}

void log_sum_exp_block(ConstBlock y, Out lse) {
  std::size_t l = 0;
  for (; l + side_by_side * width <= y.lanes(); l += side_by_side * width) {
    log_sum_exp_columns<side_by_side>(y, lse.data(), l);
  }
  for (; l < y.lanes(); l += width) {
    log_sum_exp_columns<1>(y, lse.data(), l);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(exp_span);
HWY_EXPORT(log_span);
HWY_EXPORT(tanh_span);
HWY_EXPORT(softplus_span);
HWY_EXPORT(log_cosh_span);
HWY_EXPORT(sech_squared_span);
HWY_EXPORT(softmax_block);
HWY_EXPORT(log_sum_exp_block);

namespace lanes {

void exp(In x, Out out) { HWY_DYNAMIC_DISPATCH(exp_span)(x, out); }
void log(In x, Out out) { HWY_DYNAMIC_DISPATCH(log_span)(x, out); }
void tanh(In x, Out out) { HWY_DYNAMIC_DISPATCH(tanh_span)(x, out); }
void softplus(In x, Out out) { HWY_DYNAMIC_DISPATCH(softplus_span)(x, out); }
void log_cosh(In x, Out out) { HWY_DYNAMIC_DISPATCH(log_cosh_span)(x, out); }
void sech_squared(In x, Out out) { HWY_DYNAMIC_DISPATCH(sech_squared_span)(x, out); }
void softmax(ConstBlock y, Block x, Out lse) { HWY_DYNAMIC_DISPATCH(softmax_block)(y, x, lse); }
void log_sum_exp(ConstBlock y, Out lse) { HWY_DYNAMIC_DISPATCH(log_sum_exp_block)(y, lse); }

}  // namespace lanes
}  // namespace tain
#endif  // HWY_ONCE
