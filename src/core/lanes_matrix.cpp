// Matrix times block: register-blocked, rows of the matrix broadcast against vectors of lanes.
//
// Every element of the result is one chain of additions over ascending j, carried in a register and
// parked in `out` between panels of columns, so that neither tile nor panel size touches its bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes_matrix.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>

#include "core/vector_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// Tile of rows x vectors held in registers: 24 of AVX-512's 32, 12 of the 16 elsewhere.
inline constexpr std::size_t tile_rows = 6;
inline constexpr std::size_t tile_vectors = HWY_TARGET == HWY_AVX3 ? 4 : 2;
// Columns per panel: a panel of x, panel_columns x tile_vectors vectors, fits the first-level
// cache.
inline constexpr std::size_t panel_columns = 96;

// out[0..Rows) += A[.., first..last) x, for Vectors vectors of lanes from column l on.
template <std::size_t Rows, std::size_t Vectors>
HWY_INLINE void tile(const double* HWY_RESTRICT a, std::size_t stride, std::size_t first,
                     std::size_t last, const double* HWY_RESTRICT x, double* HWY_RESTRICT out,
                     std::size_t lanes) {
  if (first >= last) {
    return;
  }
  DoubleVector sum[Rows][Vectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      sum[r][v] = load(out + r * lanes + v * width);
    }
  }
  for (std::size_t j = first; j < last; ++j) {
    DoubleVector column[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) {
      column[v] = load(x + j * lanes + v * width);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto factor = constant(a[r * stride + j]);
      for (std::size_t v = 0; v < Vectors; ++v) {
        sum[r][v] = hn::MulAdd(factor, column[v], sum[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) {
      store(sum[r][v], out + r * lanes + v * width);
    }
  }
}

// All rows against Vectors vectors from lane l on, columns [panel_first, panel_last).
template <std::size_t Vectors>
HWY_INLINE void rows_of_tiles(const lanes::RowRangeMatrix& a, ConstBlock x, Block out,
                              std::size_t l, std::size_t panel_first, std::size_t panel_last) {
  std::size_t i = 0;
  while (i < a.rows) {
    std::size_t first = a.first[i];
    std::size_t last = a.last[i];
    std::size_t own = 0;
    const std::size_t count = std::min(tile_rows, a.rows - i);
    for (std::size_t r = 0; r < count; ++r) {
      first = std::min<std::size_t>(first, a.first[i + r]);
      last = std::max<std::size_t>(last, a.last[i + r]);
      own += a.last[i + r] - a.first[i + r];
    }
    const double* const row = a.values.data() + i * a.cols;
    const double* const columns = x.data() + l;
    // Rows that share few columns (diagonal, narrow band) go one by one, each over its own range.
    if (count == tile_rows && 2 * own >= tile_rows * (last - first)) {
      tile<tile_rows, Vectors>(row, a.cols, std::max(first, panel_first),
                               std::min(last, panel_last), columns, out.row(i) + l, x.lanes());
      i += tile_rows;
      continue;
    }
    for (std::size_t r = 0; r < count; ++r) {
      tile<1, Vectors>(row + r * a.cols, a.cols, std::max<std::size_t>(a.first[i + r], panel_first),
                       std::min<std::size_t>(a.last[i + r], panel_last), columns,
                       out.row(i + r) + l, x.lanes());
    }
    i += count;
  }
}

void multiply_matrix(const lanes::RowRangeMatrix& a, ConstBlock x, Block out) {
  const std::size_t size = out.size();
  for (std::size_t k = 0; k < size; k += width) {
    store(constant(0.0), out.data() + k);
  }
  // Narrow bands touch few rows of x at a time and need no panels.
  std::size_t widest = 0;
  for (std::size_t i = 0; i < a.rows; ++i) {
    widest = std::max<std::size_t>(widest, a.last[i] - a.first[i]);
  }
  const std::size_t step = widest <= 2 * panel_columns ? a.cols : panel_columns;
  for (std::size_t panel = 0; panel < a.cols; panel += step) {
    const std::size_t end = std::min(panel + step, a.cols);
    std::size_t l = 0;
    for (; l + tile_vectors * width <= x.lanes(); l += tile_vectors * width) {
      rows_of_tiles<tile_vectors>(a, x, out, l, panel, end);
    }
    for (; l < x.lanes(); l += width) {
      rows_of_tiles<1>(a, x, out, l, panel, end);
    }
  }
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(multiply_matrix);

namespace lanes {

void multiply(const RowRangeMatrix& a, ConstBlock x, Block out) {
  TAIN_EXPECTS(a.values.size() == a.rows * a.cols, "values hold the whole matrix");
  TAIN_EXPECTS(a.first.size() == a.rows && a.last.size() == a.rows, "one range per row");
  TAIN_EXPECTS(x.rows() == a.cols && out.rows() == a.rows && x.lanes() == out.lanes(),
               "shapes agree");
  HWY_DYNAMIC_DISPATCH(multiply_matrix)(a, x, out);
}

}  // namespace lanes
}  // namespace tain
#endif  // HWY_ONCE
