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

// ---- steps of the samplers
// -----------------------------------------------------------------------
/// Langevin proposal (paper 3.3), diagonally preconditioned by s_i^2 (empty scale: 1):
/// out = y - beta s_i^2 grad + sqrt(2 beta) s_i xi. out must not be y or grad.
void langevin(ConstBlock y, ConstBlock grad, ConstFloatBlock xi, double beta,
              std::span<const double> scale, Block out);
/// Squared norm of the noise that would lead from `to` back to `from` in the same dynamics, over 2:
/// out[l] = sum_i (from - to + beta s_i^2 grad_to)^2 / (4 beta s_i^2).
void langevin_reverse(ConstBlock from, ConstBlock to, ConstBlock grad_to, double beta,
                      std::span<const double> scale, Out out);
/// Leapfrog kick, p in whitened units: p -= epsilon s_i grad
void kick(ConstBlock grad, double epsilon, std::span<const double> scale, Block p);
/// Leapfrog drift: y += epsilon s_i p
void drift(ConstBlock p, double epsilon, std::span<const double> scale, Block y);
/// Widens float noise: out = x
void widen(ConstFloatBlock x, Block out);
/// out(i, l) = x(i, l) where chosen[l] != 0, unchanged elsewhere.
void select(std::span<const double> chosen, ConstBlock x, Block out);

// ---- stretched logits (maps/stretched_simplex.hpp)
// -----------------------------------------------
/// Per row i: slope s_i left of the knee at c_i, 1 right of it; the bend is 1/sharpness wide.
struct Knees {
  std::span<const double> slopes;  ///< s_i >= 1
  std::span<const double> places;  ///< c_i
  double sharpness = 1;            ///< k
};
struct Stretched {
  Block u, slope, inverse_slope;
};
/// With v = y(i, l) - shift[l]: u = v - (s_i - 1)/k softplus(k (c_i - v)), slope = du/dv
/// = 1 + (s_i - 1) / (1 + e^(k (v - c_i))) and its inverse, both to 5 ULP for moderate k (c_i - v).
/// u may be y. Costs one exponential and one division.
void stretch(ConstBlock y, In shift, const Knees& knees, const Stretched& out);

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
