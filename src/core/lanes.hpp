// Vector arithmetic on arrays and blocks: the only door to SIMD for the rooms above core and
// random.
//
// Laws:     every function treats lanes independently and sums over coordinates in ascending order,
//           so a lane's bits depend on its own inputs only. Spans hold a multiple of lane_group
//           elements. In-place use (out == in) is allowed everywhere unless stated.
// Numerics: worst errors in ULP, as tested by tests/core/lanes_test.cpp on every instruction set:
//             exp 1.1 everywhere (overflow gives inf, underflow goes through subnormals to 0),
//             log 1, tanh 3, softplus 2, sech_squared 5; log_cosh 2^-52 max(1, |x|) absolute. NaN
//             gives NaN, also from max; softmax takes exp below e^-708 times the largest as 0.
//           AVX2 and AVX-512 give the same bits (both fuse multiply-adds); the baseline does not.
// Cost:     one pass over the operands unless stated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tain/core/block.hpp"

namespace tain::lanes {

using In = std::span<const double>;
using Out = std::span<double>;

// ---- elementwise -------------------------------------------------------------------------------
void exp(In x, Out out);
void log(In x, Out out);
void tanh(In x, Out out);
/// log(1 + e^x) without overflow.
void softplus(In x, Out out);
/// log cosh x without overflow: |x| + log(1 + e^-2|x|) - log 2.
void log_cosh(In x, Out out);
/// 1 / cosh^2 x without cancellation (never from 1 - tanh^2).
void sech_squared(In x, Out out);
void sqrt(In x, Out out);
/// out = a * b
void multiply(In a, In b, Out out);
/// out = a / b
void divide(In a, In b, Out out);
/// out = scale * x + shift
void affine(In x, double scale, double shift, Out out);
/// y += a * x
void add_scaled(double a, In x, Out y);
/// y += a * b
void add_product(In a, In b, Out y);
void fill(double value, Out out);
void copy(In x, Out out);
/// out = min(max(x, low), high)
void clamp(In x, double low, double high, Out out);

// ---- reductions over coordinates, one result per lane -------------------------------------------
/// out[l] = sum_i x(i, l)
void sum(ConstBlock x, Out out);
/// out[l] = sum_i a(i, l) b(i, l)
void dot(ConstBlock a, ConstBlock b, Out out);
/// out[l] = sum_i w[i] x(i, l); w has x.rows() elements.
void weighted_sum(std::span<const double> w, ConstBlock x, Out out);
/// out[l] = max_i x(i, l)
void max(ConstBlock x, Out out);
/// lse[l] = log sum_i exp y(i, l), and x(i, l) = exp(y(i, l) - lse[l]); x may be y. Never
/// overflows.
void softmax(ConstBlock y, Block x, Out lse);
/// lse[l] = log sum_i exp y(i, l)
void log_sum_exp(ConstBlock y, Out lse);
/// out[l] = 1 if every x(i, l) is finite, else 0
void all_finite(ConstBlock x, Out out);

// ---- rows: a value per coordinate (from a span of rows() elements) or per lane
// --------------------
/// x(i, l) = x(i, l) * scale[i] + shift[i]; an empty span means 1, respectively 0.
void affine_rows(std::span<const double> scale, std::span<const double> shift, Block x);
/// x(i, l) += a * v[l]
void add_to_rows(double a, In v, Block x);
/// x(i, l) *= v[l]
void multiply_rows(In v, Block x);

/// Widens float noise: out = x
void widen(ConstFloatBlock x, Block out);
/// out(i, l) = x(i, l) where chosen[l] != 0, unchanged elsewhere.
void select(std::span<const double> chosen, ConstBlock x, Block out);

// ---- matrices
// --------------------------------------------------------------------------------------
/// Row-major matrix whose rows are zero outside a range of columns: dense, banded and diagonal
/// matrices are all of this kind, each at its own cost.
struct RowRangeMatrix {
  std::span<const double> values;        ///< rows x cols, row-major, zeros included
  std::span<const std::uint32_t> first;  ///< per row: first column that may be non-zero
  std::span<const std::uint32_t> last;   ///< per row: one past the last
  std::size_t rows = 0;
  std::size_t cols = 0;
};
/// out(i, l) = sum_j A(i, j) x(j, l), j ascending. Cost: 2 sum_i (last_i - first_i) lanes flops.
/// out must not be x. Where x is not finite, rows that share its tile may become NaN with it.
void multiply(const RowRangeMatrix& a, ConstBlock x, Block out);

}  // namespace tain::lanes
