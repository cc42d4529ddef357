// Loops over spans and blocks, one vector at a time. Spans hold a multiple of lane_group elements,
// hence whole vectors on every instruction set. Included once per instruction set.
#if defined(TAIN_CORE_VECTOR_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAIN_CORE_VECTOR_LOOPS_INL
#undef TAIN_CORE_VECTOR_LOOPS_INL
#else
#define TAIN_CORE_VECTOR_LOOPS_INL
#endif

#include <hwy/highway.h>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::ScalableTag<double>;
using DoubleVector = hn::Vec<DoubleTag>;
using lanes::In;
using lanes::Out;

// Doubles per vector as a constant, so that loops have known strides.
inline constexpr std::size_t width = HWY_LANES(double);
static_assert(lane_group % width == 0);

HWY_INLINE DoubleVector load(const double* p) { return hn::LoadU(DoubleTag(), p); }
HWY_INLINE void store(DoubleVector v, double* p) { hn::StoreU(v, DoubleTag(), p); }
HWY_INLINE DoubleVector constant(double value) { return hn::Set(DoubleTag(), value); }
HWY_INLINE DoubleVector load_widened(const float* p) {
  const DoubleTag d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, DoubleTag>(), p));
}

// out[k] = f(x[k]...) over equally long arrays.
template <class F, class... X>
HWY_INLINE void map(std::size_t size, double* out, F f, const X*... x) {
  TAIN_EXPECTS(size % lane_group == 0, "spans hold whole lane groups");
  for (std::size_t k = 0; k < size; k += width) {
    store(f(load(x + k)...), out + k);
  }
}

// out[l] = finish of a left fold over the rows of column l, lanes independent. Several columns side
// by side hide the latency of the fold; each keeps one accumulator and ascending order.
template <class F>
HWY_INLINE void fold_rows(std::size_t rows, std::size_t lanes, double start, double* out, F f) {
  TAIN_EXPECTS(lanes % lane_group == 0, "blocks hold whole lane groups");
  constexpr std::size_t columns = lane_group / width < 4 ? 4 : lane_group / width;
  std::size_t l = 0;
  for (; l + columns * width <= lanes; l += columns * width) {
    DoubleVector accumulator[columns];
    for (auto& a : accumulator) {
      a = constant(start);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < columns; ++c) {
        accumulator[c] = f(accumulator[c], i, i * lanes + l + c * width);
      }
    }
    for (std::size_t c = 0; c < columns; ++c) {
      store(accumulator[c], out + l + c * width);
    }
  }
  for (; l < lanes; l += width) {
    DoubleVector accumulator = constant(start);
    for (std::size_t i = 0; i < rows; ++i) {
      accumulator = f(accumulator, i, i * lanes + l);
    }
    store(accumulator, out + l);
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
