#include "targets/expanded_mean.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/lanes.hpp"

namespace tain {

ExpandedMean::ExpandedMean(DirichletPosterior posterior)
    : posterior_(std::move(posterior)),
      observations_(std::accumulate(posterior_.counts().begin(), posterior_.counts().end(), 0.0)) {}

std::string ExpandedMean::name() const { return "expanded mean of " + posterior_.name(); }

void ExpandedMean::evaluate(ConstBlock theta, std::span<double> value, Block grad,
                            Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t lanes = theta.lanes();
  const std::span<double> total = ws.array(lanes), logs = ws.array(lanes);
  lanes::sum(theta, total);
  lanes::log(total, logs);
  for (std::size_t l = 0; l < lanes; ++l) {
    value[l] = total[l] + observations_ * logs[l];
  }
  for (std::size_t i = 0; i < dim(); ++i) {
    const double power = posterior_.weights()[i] - 1;
    const double* t = theta.row(i);
    lanes::log({t, lanes}, logs);
    for (std::size_t l = 0; l < lanes; ++l) {
      value[l] -= power * logs[l];
      grad.at(i, l) = 1 - power / t[l] + observations_ / total[l];
      // Outside the support nothing is likely; written so that NaN stays NaN.
      if (t[l] <= 0) {
        value[l] = std::numeric_limits<double>::infinity();
      }
    }
  }
}

void ExpandedMean::batch_gradient(ConstBlock theta, const Batches& batches, Block grad,
                                  Workspace& ws) const {
  const Workspace::Scope scope(ws);
  const std::size_t lanes = theta.lanes();
  const std::span<double> total = ws.array(lanes);
  lanes::sum(theta, total);
  const Block m = ws.block(dim(), lanes);
  posterior_.count_categories(batches, m);
  const double weight = observations_ / static_cast<double>(batches.size);
  for (std::size_t i = 0; i < dim(); ++i) {
    const double power = posterior_.alpha()[i] - 1;
    for (std::size_t l = 0; l < lanes; ++l) {
      grad.at(i, l) = 1 - (power + weight * m.at(i, l)) / theta.at(i, l) + observations_ / total[l];
    }
  }
}

LogGammas::LogGammas(const DirichletPosterior& posterior)
    : name_("log gammas of " + posterior.name()),
      shape_(posterior.weights().begin(), posterior.weights().end()) {}

std::string LogGammas::name() const { return name_; }

void LogGammas::evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace&) const {
  const std::size_t lanes = y.lanes();
  lanes::fill(0.0, value.first(lanes));
  for (std::size_t i = 0; i < dim(); ++i) {
    const double a = shape_[i];
    const double* row = y.row(i);
    const std::span<double> slope(grad.row(i), lanes);
    lanes::exp({row, lanes}, slope);
    for (std::size_t l = 0; l < lanes; ++l) {
      value[l] += slope[l] - a * row[l];
      slope[l] -= a;
    }
  }
}

}  // namespace tain
