// Linear and logistic regression: coefficients b restricted to the set of a map.
//
// Definition: rows z_i (features), responses r_i, a prior N(0, prior_sd^2) on every coefficient,
//   the intercept included, or a flat one where prior_sd is infinite:
//     linear     V(b) = sum_i (r_i - z_i'b)^2 / (2 noise_sd^2) + |b|^2 / (2 prior_sd^2) - const
//     logistic   V(b) = sum_i softplus(-s_i z_i'b) + |b|^2 / (2 prior_sd^2),  s_i = 2 r_i - 1
//   The constant makes V = 0 at the unconstrained mode b0.
// Terms: one per row, N = rows; the prior is shared evenly among them.
// Laws: those of Potential and Decomposable; sums run over rows in the order of the file.
// Numerics: linear V is the quadratic form about b0 (from a rank-revealing QR, so that rows and
//   features may be dependent): nothing cancels near the mode. Logistic terms never overflow.
// Cost: linear 2 p^2 flops per lane, whatever the number of rows; logistic, per row and lane, 4 p
//   flops and 3 transcendental functions, in chunks of rows that stay in cache. Batches: 4 p flops
//   per row and lane, lane by lane since every lane has rows of its own; the transcendental
//   functions of the logistic terms are vectorised over the batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tain/targets/potential.hpp"
#include "targets/csv.hpp"
#include "targets/quadratic.hpp"

namespace tain {

struct RegressionData {
  std::string source;              ///< file, for messages; empty: they came as numbers
  std::string response_name;       ///< column the responses come from
  std::vector<std::string> names;  ///< one per feature; "(intercept)" first where there is one
  std::size_t rows = 0;
  std::vector<double> features;    ///< row-major, rows x names.size()
  std::vector<double> responses;   ///< one per row
  std::vector<std::size_t> lines;  ///< of the file, one per row

  std::span<const double> row(std::size_t i) const {
    return {features.data() + i * names.size(), names.size()};
  }
};

enum class Intercept { none, first };

/// Every column but the response is a feature. Throws Error (config) if there is no such column or
/// no feature is left.
RegressionData regression_data(const CsvTable& table, std::string_view response,
                               Intercept intercept);
/// Features row by row, a response per row; `names` of the columns may be left out. Throws Error
/// (config) where sizes do not agree or a name is none, (data) for a number that is not finite.
RegressionData regression_data(std::vector<double> features, std::vector<double> responses,
                               std::vector<std::string> names, Intercept intercept);

class LinearRegression {
 public:
  static constexpr bool unimodal = true;
  /// Throws Error (config) unless noise_sd is positive and finite and prior_sd positive.
  LinearRegression(std::shared_ptr<const RegressionData> data, double noise_sd, double prior_sd);
  LinearRegression(RegressionData data, double noise_sd, double prior_sd)
      : LinearRegression(std::make_shared<const RegressionData>(std::move(data)), noise_sd,
                         prior_sd) {}

  std::string name() const;
  std::size_t dim() const { return form_.dim(); }
  const RegressionData& data() const { return *data_; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    form_.evaluate(x, value, grad, ws);
  }
  std::uint64_t terms() const { return data_->rows; }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const;
  /// Start: b0 where the set contains it; exact mean, variance and L on all of R^p.
  TargetFacts facts(const AnyMap& map) const;

 private:
  std::shared_ptr<const RegressionData> data_;
  double noise_precision_, prior_precision_;
  QuadraticForm form_;
  std::vector<double> variance_;  // empty where the posterior is improper
};

class LogisticRegression {
 public:
  static constexpr bool unimodal = true;
  /// Throws Error (config) for prior_sd that is not positive, Error (data) with its place for a
  /// response that is neither 0 nor 1.
  LogisticRegression(std::shared_ptr<const RegressionData> data, double prior_sd);
  LogisticRegression(RegressionData data, double prior_sd)
      : LogisticRegression(std::make_shared<const RegressionData>(std::move(data)), prior_sd) {}

  std::string name() const;
  std::size_t dim() const { return data_->names.size(); }
  const RegressionData& data() const { return *data_; }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const;
  std::uint64_t terms() const { return data_->rows; }
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const;

 private:
  std::shared_ptr<const RegressionData> data_;
  double prior_precision_;
  // -s_i z_i, in chunks of rows: each chunk once by row (for z'b) and once by column (for the sum
  // over rows), as lanes::multiply wants them.
  std::vector<double> by_row_, by_column_;
  std::vector<std::uint32_t> zeros_, widths_;
};

static_assert(Decomposable<LinearRegression> && Informed<LinearRegression>);
static_assert(Decomposable<LogisticRegression>);

}  // namespace tain
