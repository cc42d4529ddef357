#include "targets/quadratic.hpp"

#include <algorithm>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {

QuadraticForm QuadraticForm::diagonal(std::vector<double> centre, std::vector<double> diagonal) {
  TAIN_EXPECTS(centre.size() == diagonal.size(), "sizes differ");
  return {std::move(centre), std::move(diagonal)};
}

QuadraticForm QuadraticForm::full(std::vector<double> centre, std::vector<double> matrix) {
  const std::size_t d = centre.size();
  TAIN_EXPECTS(matrix.size() == d * d, "sizes differ");
  QuadraticForm form(std::move(centre), std::move(matrix));
  bool off_diagonal = false;
  for (std::size_t i = 0; i < d; ++i) {
    const double* row = form.values_.data() + i * d;
    std::size_t first = 0, last = d;
    while (first < i && row[first] == 0) {
      ++first;
    }
    while (last > i + 1 && row[last - 1] == 0) {
      --last;
    }
    form.first_.push_back(static_cast<std::uint32_t>(first));
    form.last_.push_back(static_cast<std::uint32_t>(last));
    off_diagonal = off_diagonal || last - first > 1;
  }
  if (off_diagonal) {
    return form;
  }
  std::vector<double> entries(d);
  for (std::size_t i = 0; i < d; ++i) {
    entries[i] = form.values_[i * d + i];
  }
  return diagonal(std::move(form.centre_), std::move(entries));
}

double QuadraticForm::entry(std::size_t i, std::size_t j) const {
  if (is_diagonal()) {
    return i == j ? values_[i] : 0;
  }
  return values_[i * dim() + j];
}

std::size_t QuadraticForm::stored_entries() const {
  if (is_diagonal()) {
    return dim();
  }
  std::size_t entries = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    entries += last_[i] - first_[i];
  }
  return entries;
}

double QuadraticForm::row_sum_norm() const {
  double norm = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    double row_sum = is_diagonal() ? std::abs(values_[i]) : 0;
    for (std::size_t j = 0; j < dim() && !is_diagonal(); ++j) {
      row_sum += std::abs(values_[i * dim() + j]);
    }
    norm = std::max(norm, row_sum);
  }
  return norm;
}

void QuadraticForm::evaluate(ConstBlock x, std::span<double> value, Block grad,
                             Workspace& ws) const {
  const std::size_t d = dim(), lanes = x.lanes();
  if (is_diagonal()) {
    std::fill_n(value.begin(), lanes, 0.0);
    for (std::size_t i = 0; i < d; ++i) {
      const double* xi = x.row(i);
      double* gi = grad.row(i);
      for (std::size_t l = 0; l < lanes; ++l) {
        const double r = xi[l] - centre_[i];
        gi[l] = values_[i] * r;
        value[l] += 0.5 * r * gi[l];
      }
    }
    return;
  }
  const Workspace::Scope scope(ws);
  const Block r = ws.block(d, lanes);
  for (std::size_t i = 0; i < d; ++i) {
    lanes::affine({x.row(i), lanes}, 1, -centre_[i], {r.row(i), lanes});
  }
  lanes::multiply(lanes::RowRangeMatrix{values_, first_, last_, d, d}, r, grad);
  lanes::dot(r, grad, value.first(lanes));
  for (double& v : value.first(lanes)) {
    v *= 0.5;
  }
}

}  // namespace tain
