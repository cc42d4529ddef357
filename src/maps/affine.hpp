// Image of a set under an invertible affine transformation: parallelepipeds, ellipsoids, cones.
//
// Definition: x = A x0 + b with x0 in the inner set; the dual coordinates y are the inner map's.
//   The mirror map of the image is h(x) = h0(A^-1 (x - b)), whose gradient is A^-T y: a constant
//   linear change of y, which MirrorMap allows and which changes no law. Staying in the inner
//   coordinates spares two solves per step, and lets a good A precondition the dynamics in y.
//     dx/dy = A dx0/dy,   log det = inner log det - log |det A|
// Laws: those of MirrorMap but the 4th (A dx0/dy is not symmetric in general).
// Numerics: A is factorised by LU with partial pivoting at construction; a reciprocal condition
//   number below d 2^-52 counts as singular.
// Cost: d^3 at construction; a matrix product for to_primal and for pull_back, each at the cost of
//   the ranges of non-zeros in A's rows and columns (banded and triangular A are cheaper); the
//   inner point is computed again where it is needed, never recovered from x, which would round it
//   out of the set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/lanes.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

class AffineMap {
 public:
  /// `matrix` is d x d, row-major. Throws Error (config) if sizes differ from d, if the inner map
  /// has not as many free as visible coordinates, or if the matrix is singular or not finite.
  AffineMap(AnyMap inner, std::vector<double> matrix, std::vector<double> shift);

  std::string name() const { return "affine(" + inner_.name() + ")"; }
  std::size_t primal_dim() const { return shift_.size(); }
  std::size_t dual_dim() const { return shift_.size(); }
  const AnyMap& inner() const { return inner_; }

  void to_primal(ConstBlock y, Block x, Workspace& ws) const;
  void to_dual(ConstBlock x, Block y, Workspace& ws) const;
  void pull_back(ConstBlock y, ConstBlock x, ConstBlock gx, Block gy, Workspace& ws) const;
  void add_log_det(ConstBlock y, ConstBlock x, std::span<double> value, Block gy,
                   Workspace& ws) const;
  bool contains(std::span<const double> x) const;
  void centre(std::span<double> x) const;

 private:
  // Owns what a RowRangeMatrix borrows.
  struct Matrix {
    Matrix() = default;
    Matrix(std::vector<double> entries, std::size_t dim);
    lanes::RowRangeMatrix view() const { return {values, first, last, first.size(), first.size()}; }
    std::vector<double> values;
    std::vector<std::uint32_t> first, last;
  };
  void check_sizes(std::size_t num_entries) const;
  void factorise(const std::vector<double>& matrix);

  AnyMap inner_;
  std::vector<double> shift_;
  Matrix matrix_, transposed_, inverse_;
  double log_det_ = 0;
};

static_assert(MirrorMap<AffineMap>);

}  // namespace tain
