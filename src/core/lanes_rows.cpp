// A value per coordinate or per lane, applied to a whole block.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes_rows.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/vector_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

void affine_rows_block(std::span<const double> scale, std::span<const double> shift, Block x) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const auto a = constant(scale.empty() ? 1.0 : scale[i]);
    const auto b = constant(shift.empty() ? 0.0 : shift[i]);
    map(x.lanes(), x.row(i), [=](auto v) { return hn::MulAdd(v, a, b); }, x.row(i));
  }
}

void add_to_rows_block(double a, In v, Block x) {
  const auto factor = constant(a);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    map(
        x.lanes(), x.row(i), [=](auto u, auto w) { return hn::MulAdd(factor, u, w); }, v.data(),
        x.row(i));
  }
}

void multiply_rows_block(In v, Block x) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    map(x.lanes(), x.row(i), [](auto u, auto w) { return hn::Mul(u, w); }, v.data(), x.row(i));
  }
}

void widen_block(ConstFloatBlock x, Block out) {
  for (std::size_t k = 0; k < out.size(); k += width) {
    store(load_widened(x.data() + k), out.data() + k);
  }
}

void select_block(std::span<const double> chosen, ConstBlock x, Block out) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    map(
        x.lanes(), out.row(i),
        [](auto flag, auto fresh, auto old) {
          return hn::IfThenElse(hn::Eq(flag, constant(0.0)), old, fresh);
        },
        chosen.data(), x.row(i), out.row(i));
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(affine_rows_block);
HWY_EXPORT(add_to_rows_block);
HWY_EXPORT(multiply_rows_block);
HWY_EXPORT(widen_block);
HWY_EXPORT(select_block);

namespace lanes {

void affine_rows(std::span<const double> scale, std::span<const double> shift, Block x) {
  TAIN_EXPECTS(scale.empty() || scale.size() == x.rows(), "one scale per row");
  TAIN_EXPECTS(shift.empty() || shift.size() == x.rows(), "one shift per row");
  HWY_DYNAMIC_DISPATCH(affine_rows_block)(scale, shift, x);
}
void add_to_rows(double a, In v, Block x) { HWY_DYNAMIC_DISPATCH(add_to_rows_block)(a, v, x); }
void multiply_rows(In v, Block x) { HWY_DYNAMIC_DISPATCH(multiply_rows_block)(v, x); }
void widen(ConstFloatBlock x, Block out) { HWY_DYNAMIC_DISPATCH(widen_block)(x, out); }
void select(std::span<const double> chosen, ConstBlock x, Block out) {
  HWY_DYNAMIC_DISPATCH(select_block)(chosen, x, out);
}

}  // namespace lanes
}  // namespace tain
#endif  // HWY_ONCE
