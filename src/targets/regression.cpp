#include "targets/regression.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"
#include "targets/whole_space.hpp"

namespace tain {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

/// Rows worked on at a time: 128 rows of 64 lanes are 64 KiB.
constexpr std::size_t chunk_rows = 128;

double prior_precision(double prior_sd, std::string_view where) {
  if (!(prior_sd > 0)) {
    fail(Fault::config, where, fmt::format("prior standard deviation is {}", prior_sd),
         "give a positive number, or inf for a flat prior");
  }
  return std::isinf(prior_sd) ? 0.0 : 1 / (prior_sd * prior_sd);
}

/// Features over noise_sd, and below them the prior as p more rows: V is half the squared residual
/// of this system.
struct LeastSquares {
  Matrix matrix;
  Eigen::VectorXd right;
};

LeastSquares augmented(const RegressionData& data, double noise_sd, double precision) {
  const auto n = static_cast<Index>(data.rows), p = static_cast<Index>(data.names.size());
  const Index extra = precision > 0 ? p : 0;
  LeastSquares system{Matrix::Zero(n + extra, p), Eigen::VectorXd::Zero(n + extra)};
  system.matrix.topRows(n) = Eigen::Map<const Matrix>(data.features.data(), n, p) / noise_sd;
  system.right.head(n) = Eigen::Map<const Eigen::VectorXd>(data.responses.data(), n) / noise_sd;
  if (extra > 0) {
    system.matrix.bottomRows(p).diagonal().setConstant(std::sqrt(precision));
  }
  return system;
}

QuadraticForm quadratic(const LeastSquares& system) {
  const Eigen::VectorXd mode = system.matrix.completeOrthogonalDecomposition().solve(system.right);
  const Matrix precision = system.matrix.transpose() * system.matrix;
  return QuadraticForm::full({mode.data(), mode.data() + mode.size()},
                             {precision.data(), precision.data() + precision.size()});
}

/// Partial sums side by side, so that the compiler may use vectors: the order is fixed.
double dot(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t width = 8;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= a.size(); i += width) {
    for (std::size_t k = 0; k < width; ++k) {
      sums[k] += a[i + k] * b[i + k];
    }
  }
  double sum = 0;
  for (; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  for (const double part : sums) {
    sum += part;
  }
  return sum;
}

/// grad = (N/b) sum over the lane's batch of slope(z'x) z, plus precision x; slopes(batch, eta)
/// makes eta[k] = z'x of the batch's k-th row its slope. Rows are row-major.
template <class Slopes>
void batch_sum(std::span<const double> rows, std::uint64_t terms, double precision, ConstBlock x,
               const Batches& batches, Block grad, Workspace& ws, const Slopes& slopes) {
  const Workspace::Scope scope(ws);
  const std::size_t p = x.rows(), b = batches.size;
  const std::span<double> point = ws.array(p), sum = ws.array(p), eta = ws.array(padded_lanes(b));
  const double each = static_cast<double>(terms) / static_cast<double>(b);
  std::ranges::fill(eta, 0.0);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    const std::span<const std::uint64_t> batch = batches.of(lane);
    for (std::size_t j = 0; j < p; ++j) {
      point[j] = x.at(j, lane);
    }
    for (std::size_t k = 0; k < b; ++k) {
      eta[k] = dot(rows.subspan(batch[k] * p, p), point);
    }
    slopes(batch, eta);
    std::ranges::fill(sum, 0.0);
    for (std::size_t k = 0; k < b; ++k) {
      const double* row = rows.data() + batch[k] * p;
      for (std::size_t j = 0; j < p; ++j) {
        sum[j] += eta[k] * row[j];
      }
    }
    for (std::size_t j = 0; j < p; ++j) {
      grad.at(j, lane) = each * sum[j] + precision * point[j];
    }
  }
}

double checked_noise(double noise_sd) {
  if (!(noise_sd > 0) || !std::isfinite(noise_sd)) {
    fail(Fault::config, "target linear-regression",
         fmt::format("noise standard deviation is {}", noise_sd), "give a positive, finite number");
  }
  return noise_sd;
}

// ---- from numbers

std::size_t columns_of(std::span<const double> features, std::span<const double> responses) {
  if (responses.empty()) {
    fail(Fault::config, Field{"responses"}, "are missing", "give one per row of features");
  }
  if (features.size() % responses.size() != 0) {
    fail(Fault::config, Field{"features"},
         fmt::format("has {} numbers for {} rows", features.size(), responses.size()),
         Phrase("give rows of one length, and a number of ", Field{"responses"}, " per row"));
  }
  return features.size() / responses.size();
}

void require_finite(std::span<const double> numbers, std::string_view field) {
  const auto wrong = std::ranges::find_if_not(numbers, [](double x) { return std::isfinite(x); });
  if (wrong != numbers.end()) {
    fail(Fault::data, Field{std::string(field)},
         fmt::format("number {} is {}", wrong - numbers.begin() + 1, *wrong),
         "give finite numbers");
  }
}

std::vector<std::string> names_of_columns(std::vector<std::string> names, std::size_t columns) {
  if (names.empty()) {
    for (std::size_t j = 0; j < columns; ++j) {
      names.push_back(fmt::format("x[{}]", j + 1));
    }
  }
  if (names.size() != columns) {
    fail(Fault::config, Field{"names"},
         fmt::format("has {} entries for {} columns", names.size(), columns),
         "give one per column of features");
  }
  return names;
}

/// As columns of a table.
void require_different(const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) {
      fail(Fault::config, Field{"names"},
           fmt::format("entry {} is empty", name - names.begin() + 1), "give every column a name");
    }
    if (std::find(names.begin(), name, *name) != name) {
      fail(Fault::config, Field{"names"}, fmt::format("has '{}' twice", *name),
           "give every column its own");
    }
  }
}

void add_intercept(RegressionData& data) {
  const std::size_t columns = data.names.size();
  std::vector<double> wider;
  wider.reserve(data.rows * (columns + 1));
  for (std::size_t i = 0; i < data.rows; ++i) {
    const std::span<const double> row = data.row(i);
    wider.push_back(1);
    wider.insert(wider.end(), row.begin(), row.end());
  }
  data.features = std::move(wider);
  data.names.insert(data.names.begin(), "(intercept)");
}

[[noreturn]] void refuse_response(const RegressionData& data, std::size_t row) {
  const double response = data.responses[row];
  const char* const remedy = "logistic regression needs 0 or 1";
  if (data.source.empty()) {
    fail(Fault::data, Field{"responses"}, fmt::format("number {} is {}", row + 1, response),
         remedy);
  }
  fail(Fault::data, fmt::format("{}:{}", data.source, data.lines[row]),
       fmt::format("response '{}' is {}", data.response_name, response), remedy);
}

}  // namespace

RegressionData regression_data(const CsvTable& table, std::string_view response,
                               Intercept intercept) {
  const auto found = std::ranges::find(table.columns, response);
  if (found == table.columns.end()) {
    fail(Fault::config, table.name, fmt::format("no column is named '{}'", response),
         fmt::format("name one of: {}", fmt::join(table.columns, ", ")));
  }
  const auto at = static_cast<std::size_t>(found - table.columns.begin());
  RegressionData data;
  data.source = table.name;
  data.response_name = response;
  data.rows = table.rows;
  data.lines = table.lines;
  if (intercept == Intercept::first) {
    data.names.emplace_back("(intercept)");
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (j != at) {
      data.names.push_back(table.columns[j]);
    }
  }
  if (data.names.empty()) {
    fail(Fault::config, table.name, "no column besides the response",
         "give one feature or more, or ask for an intercept");
  }
  for (std::size_t i = 0; i < table.rows; ++i) {
    const double* row = table.values.data() + i * table.columns.size();
    if (intercept == Intercept::first) {
      data.features.push_back(1);
    }
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      (j == at ? data.responses : data.features).push_back(row[j]);
    }
  }
  return data;
}

RegressionData regression_data(std::vector<double> features, std::vector<double> responses,
                               std::vector<std::string> names, Intercept intercept) {
  RegressionData data;
  data.rows = responses.size();
  const std::size_t columns = columns_of(features, responses);
  require_finite(features, "features");
  require_finite(responses, "responses");
  data.names = names_of_columns(std::move(names), columns);
  data.features = std::move(features);
  data.responses = std::move(responses);
  if (intercept == Intercept::first) {
    add_intercept(data);
  }
  if (data.names.empty()) {
    fail(Fault::config, Field{"features"}, "are missing",
         "give one column or more, or ask for an intercept");
  }
  require_different(data.names);
  return data;
}

// ---- linear ------------------------------------------------------------------------------------

LinearRegression::LinearRegression(std::shared_ptr<const RegressionData> data, double noise_sd,
                                   double prior_sd)
    : data_(std::move(data)),
      noise_precision_(1 / (checked_noise(noise_sd) * noise_sd)),
      prior_precision_(prior_precision(prior_sd, "target linear-regression")),
      form_(quadratic(augmented(*data_, noise_sd, prior_precision_))) {
  const auto p = static_cast<Index>(dim());
  Matrix precision(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      precision(i, j) = form_.entry(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }
  }
  const Eigen::LLT<Matrix> llt(precision);
  if (llt.info() == Eigen::Success && llt.rcond() > 1e-12) {
    const Matrix covariance = llt.solve(Matrix::Identity(p, p));
    for (Index i = 0; i < p; ++i) {
      variance_.push_back(covariance(i, i));
    }
  }
}

std::string LinearRegression::name() const {
  return fmt::format("linear-regression({} rows, {} coefficients)", data_->rows, dim());
}

void LinearRegression::batch_gradient(ConstBlock x, const Batches& batches, Block grad,
                                      Workspace& ws) const {
  batch_sum(data_->features, terms(), prior_precision_, x, batches, grad, ws,
            [this](std::span<const std::uint64_t> batch, std::span<double> eta) {
              for (std::size_t k = 0; k < batch.size(); ++k) {
                eta[k] = noise_precision_ * (eta[k] - data_->responses[batch[k]]);
              }
            });
}

TargetFacts LinearRegression::facts(const AnyMap& map) const {
  TargetFacts facts;
  if (map.primal_dim() != dim()) {
    return facts;
  }
  const std::span<const double> mode = form_.centre();
  if (map.contains(mode)) {
    facts.start.assign(mode.begin(), mode.end());
  }
  if (is_whole_space(map)) {
    facts.dual_lipschitz = form_.row_sum_norm();
    if (!variance_.empty()) {
      facts.mean.assign(mode.begin(), mode.end());
      facts.variance = variance_;
      facts.dual_mean = facts.mean;
      facts.dual_variance = facts.variance;
    }
  }
  return facts;
}

// ---- logistic ----------------------------------------------------------------------------------

LogisticRegression::LogisticRegression(std::shared_ptr<const RegressionData> data, double prior_sd)
    : data_(std::move(data)),
      prior_precision_(prior_precision(prior_sd, "target logistic-regression")) {
  const std::size_t n = data_->rows, p = dim();
  by_row_.resize(n * p);
  by_column_.resize(n * p);
  for (std::size_t begin = 0; begin < n; begin += chunk_rows) {
    const std::size_t size = std::min(chunk_rows, n - begin);
    for (std::size_t i = 0; i < size; ++i) {
      const double response = data_->responses[begin + i];
      if (response != 0 && response != 1) {
        refuse_response(*data_, begin + i);
      }
      for (std::size_t j = 0; j < p; ++j) {
        const double z = (response == 1 ? -1 : 1) * data_->row(begin + i)[j];
        by_row_[(begin + i) * p + j] = z;
        by_column_[begin * p + j * size + i] = z;
      }
    }
  }
  zeros_.assign(std::max(chunk_rows, p), 0);
  // Ends of the row ranges of three kinds of matrix: by row, by column, and the last chunk's.
  widths_.assign(chunk_rows, static_cast<std::uint32_t>(p));
  widths_.insert(widths_.end(), p, static_cast<std::uint32_t>(chunk_rows));
  widths_.insert(widths_.end(), p, static_cast<std::uint32_t>(n % chunk_rows));
}

std::string LogisticRegression::name() const {
  return fmt::format("logistic-regression({} rows, {} coefficients)", data_->rows, dim());
}

void LogisticRegression::evaluate(ConstBlock x, std::span<double> value, Block grad,
                                  Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t n = data_->rows, p = dim(), lanes = x.lanes();
  const std::span<const std::uint32_t> widths(widths_);
  const std::span<const std::uint32_t> zeros(zeros_);
  const Block chunk_grad = ws.block(p, lanes);
  const Block eta_storage = ws.block(chunk_rows, lanes), term_storage = ws.block(chunk_rows, lanes);
  const std::span<double> chunk_value = ws.array(lanes);

  // Prior.
  lanes::dot(x, x, value.first(lanes));
  lanes::affine(value.first(lanes), 0.5 * prior_precision_, 0, value.first(lanes));
  lanes::affine(x.flat(), prior_precision_, 0, grad.flat());

  for (std::size_t begin = 0; begin < n; begin += chunk_rows) {
    const std::size_t size = std::min(chunk_rows, n - begin);
    const Block eta = eta_storage.slice(0, size), term = term_storage.slice(0, size);
    const lanes::RowRangeMatrix by_row{
        {by_row_.data() + begin * p, size * p}, zeros.first(size), widths.first(size), size, p};
    const lanes::RowRangeMatrix by_column{
        {by_column_.data() + begin * p, size * p},
        zeros.first(p),
        widths.subspan(chunk_rows + (size == chunk_rows ? 0 : p), p),
        p,
        size};
    lanes::multiply(by_row, x, eta);
    lanes::softplus(eta.flat(), term.flat());
    lanes::sum(term, chunk_value);
    lanes::add_scaled(1, chunk_value, value.first(lanes));
    // softplus'(e) = 1 / (1 + exp(-e)) = exp(e - softplus(e)): relative accuracy in both tails.
    lanes::add_scaled(-1, term.flat(), eta.flat());
    lanes::exp(eta.flat(), eta.flat());
    lanes::multiply(by_column, eta, chunk_grad);
    lanes::add_scaled(1, chunk_grad.flat(), grad.flat());
  }
}

void LogisticRegression::batch_gradient(ConstBlock x, const Batches& batches, Block grad,
                                        Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::span<double> term = ws.array(padded_lanes(batches.size));
  batch_sum(by_row_, terms(), prior_precision_, x, batches, grad, ws,
            [&](std::span<const std::uint64_t>, std::span<double> eta) {
              lanes::softplus(eta, term);
              lanes::add_scaled(-1, term, eta);
              lanes::exp(eta, eta);
            });
}

}  // namespace tain
