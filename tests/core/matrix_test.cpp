// Matrix times block: against the sum written out, for every shape of tile and range.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/lanes.hpp"
#include "support/isa.hpp"

namespace tain::matrix_test {
namespace {

class MatrixOnEveryIsa : public testing::OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isa, MatrixOnEveryIsa, ::testing::ValuesIn(supported_isas()),
                         testing::isa_label);

// Pseudo-random numbers in (-1, 1) with all digits in use.
double number(std::size_t i, std::size_t j) {
  const double x =
      std::sin(1.0 + 12.9898 * static_cast<double>(i) + 78.233 * static_cast<double>(j));
  return x * 0.987654321;
}

struct Matrix {
  // Rows are non-zero within `lower` columns left and `upper` right of the diagonal.
  Matrix(std::size_t rows, std::size_t cols, std::size_t lower, std::size_t upper)
      : values(rows * cols), first(rows), last(rows), view{values, first, last, rows, cols} {
    for (std::size_t i = 0; i < rows; ++i) {
      first[i] = static_cast<std::uint32_t>(i > lower ? std::min(i - lower, cols) : 0);
      last[i] = static_cast<std::uint32_t>(std::min(cols, i + upper + 1));
      for (std::size_t j = first[i]; j < last[i]; ++j) {
        values[i * cols + j] = number(i, j);
      }
    }
  }
  std::vector<double> values;
  std::vector<std::uint32_t> first, last;
  lanes::RowRangeMatrix view;
};

BlockStorage input(std::size_t rows, std::size_t lanes) {
  BlockStorage x(rows, lanes);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t l = 0; l < lanes; ++l) {
      x.view().at(i, l) = number(i + 1000, l);
    }
  }
  return x;
}

// One chain of fused multiply-adds over ascending j: with FMA the result must be these very bits.
// Without (baseline), each of the n steps may round twice: n eps sum |a x|.
void expect_product(const Matrix& a, std::size_t lanes) {
  const BlockStorage x = input(a.view.cols, lanes);
  BlockStorage out(a.view.rows, lanes);
  lanes::fill(77.0, out.view().flat());
  lanes::multiply(a.view, x.view(), out.view());
  for (std::size_t i = 0; i < a.view.rows; ++i) {
    for (std::size_t l = 0; l < lanes; ++l) {
      double fused = 0.0;
      double magnitude = 0.0;
      for (std::size_t j = a.first[i]; j < a.last[i]; ++j) {
        fused = std::fma(a.values[i * a.view.cols + j], x.view().at(j, l), fused);
        magnitude += std::abs(a.values[i * a.view.cols + j] * x.view().at(j, l));
      }
      if (current_isa() == Isa::baseline) {
        const double bound = static_cast<double>(a.view.cols) * 0x1p-52 * magnitude;
        ASSERT_NEAR(out.view().at(i, l), fused, bound);
      } else {
        ASSERT_EQ(out.view().at(i, l), fused) << i << " " << l;
      }
    }
  }
}

TEST_P(MatrixOnEveryIsa, DenseOfEveryTileRemainder) {
  for (const std::size_t rows : {1, 5, 6, 7, 13}) {
    for (const std::size_t lanes : {8, 16, 24, 40, 64}) {
      expect_product(Matrix(rows, 10, 1000, 1000), lanes);
    }
  }
}

TEST_P(MatrixOnEveryIsa, DenseAcrossPanels) {
  for (const std::size_t cols : {95, 96, 97, 300}) {
    expect_product(Matrix(20, cols, 1000, 1000), 72);
  }
}

TEST_P(MatrixOnEveryIsa, BandedDiagonalAndTriangular) {
  expect_product(Matrix(50, 50, 0, 0), 16);
  expect_product(Matrix(50, 50, 1, 1), 40);
  expect_product(Matrix(50, 50, 7, 3), 40);
  expect_product(Matrix(250, 250, 250, 0), 8);
  expect_product(Matrix(250, 250, 0, 250), 8);
}

TEST_P(MatrixOnEveryIsa, EmptyRowsGiveZero) {
  Matrix a(7, 9, 1000, 1000);
  std::fill(a.first.begin(), a.first.end(), 0u);
  std::fill(a.last.begin(), a.last.end(), 0u);
  expect_product(a, 16);
}

// The last columns of a dense matrix multiply what a narrower matrix never reads.
TEST_P(MatrixOnEveryIsa, ALaneDependsOnItselfOnly) {
  const Matrix a(13, 100, 1000, 1000);
  const BlockStorage wide = input(100, 40);
  BlockStorage all(13, 40);
  lanes::multiply(a.view, wide.view(), all.view());
  for (std::size_t from = 0; from < 40; from += 8) {
    BlockStorage part(100, 8);
    for (std::size_t i = 0; i < 100; ++i) {
      std::memcpy(part.view().row(i), wide.view().row(i) + from, 8 * sizeof(double));
    }
    BlockStorage out(13, 8);
    lanes::multiply(a.view, part.view(), out.view());
    for (std::size_t i = 0; i < 13; ++i) {
      ASSERT_EQ(std::memcmp(out.view().row(i), all.view().row(i) + from, 8 * sizeof(double)), 0);
    }
  }
}

}  // namespace
}  // namespace tain::matrix_test
