// Definitions of NewtonMap; included by newton.hpp only.
#pragma once

#include <algorithm>

namespace tain {

// h(x) - <x, y>, and how far rounding may have moved it.
template <LegendreFunction H>
double NewtonMap<H>::objective_at(ConstPoint x, ConstPoint y, double& rounding) const {
  const double h = h_.value(x);
  double sum = h, size = std::abs(h);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum -= x[i] * y[i];
    size += std::abs(x[i] * y[i]);
  }
  rounding = 8 * std::numeric_limits<double>::epsilon() * size;
  return sum;
}

// x <- x - t p with the largest t of the sequence that keeps x inside and lowers the objective.
template <LegendreFunction H>
bool NewtonMap<H>::line_search(ConstPoint y, Point x, ConstPoint p, double lambda,
                               double& objective, Point trial) const {
  double t = lambda > damping_threshold ? 1 / (1 + lambda) : 1.0;
  for (int halving = 0; halving < max_halvings; ++halving, t /= 2) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      trial[i] = x[i] - t * p[i];
    }
    double rounding = 0;
    const double reached = objective_at(trial, y, rounding);
    if (std::isfinite(reached) && reached <= objective - armijo * t * lambda * lambda + rounding) {
      objective = reached;
      std::copy(trial.begin(), trial.end(), x.begin());
      return true;
    }
  }
  return false;
}

template <LegendreFunction H>
bool NewtonMap<H>::solve(ConstPoint y, Point x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t d = primal_dim();
  const Point g = ws.array(d), p = ws.array(d), trial = ws.array(d), factor = ws.array(d * d);
  centre(x);
  double rounding = 0, previous = std::numeric_limits<double>::infinity();
  double objective = objective_at(x, y, rounding);
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    double residual = 0, size = 1, lambda_squared = 0;
    h_.gradient(x, g);
    for (std::size_t i = 0; i < d; ++i) {
      p[i] = g[i] -= y[i];
      residual = std::max(residual, std::abs(g[i]));
      size = std::max(size, std::abs(y[i]));
    }
    if (!hessian_factor(x, factor)) {
      return false;
    }
    dense::solve(factor, d, p);
    bool moves = false;
    for (std::size_t i = 0; i < d; ++i) {
      lambda_squared += g[i] * p[i];
      moves = moves || x[i] - p[i] != x[i];
    }
    const double lambda = std::sqrt(lambda_squared);
    const bool good = residual <= accepted_residual * size;
    if (!std::isfinite(lambda)) {
      return false;
    }
    if (!moves || (lambda < settled && lambda > previous / 4)) {
      return good;
    }
    if (!line_search(y, x, p, lambda, objective, trial)) {
      return good;
    }
    previous = lambda;
  }
  return false;
}

template <LegendreFunction H>
void NewtonMap<H>::to_primal(ConstBlock y, Block x, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Point dual = ws.array(dual_dim()), primal = ws.array(primal_dim());
  for (std::size_t lane = 0; lane < y.lanes(); ++lane) {
    load(y, lane, dual);
    if (!solve(dual, primal, ws)) {
      std::fill(primal.begin(), primal.end(), std::numeric_limits<double>::quiet_NaN());
    }
    store(primal, x, lane);
  }
}

template <LegendreFunction H>
void NewtonMap<H>::to_dual(ConstBlock x, Block y, Workspace& ws) const {
  Workspace::Scope scope(ws);
  const Point primal = ws.array(primal_dim()), dual = ws.array(dual_dim());
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    load(x, lane, primal);
    h_.gradient(primal, dual);
    store(dual, y, lane);
  }
}

template <LegendreFunction H>
void NewtonMap<H>::pull_back(ConstBlock, ConstBlock x, ConstBlock gx, Block gy,
                             Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t d = primal_dim();
  const Point primal = ws.array(d), slope = ws.array(d), factor = ws.array(d * d);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    load(x, lane, primal);
    load(gx, lane, slope);
    if (contains(primal) && hessian_factor(primal, factor)) {
      dense::solve(factor, d, slope);
    } else {
      std::fill(slope.begin(), slope.end(), std::numeric_limits<double>::quiet_NaN());
    }
    store(slope, gy, lane);
  }
}

// Derivative of log det along `direction`, whose local norm is `length`.
template <LegendreFunction H>
double NewtonMap<H>::slope_along(ConstPoint x, Point direction, double length, Point moved,
                                 Point scratch) const {
  // Truncation and rounding balance at the cube root of epsilon. Inside for self-concordant h;
  // others are given a shorter step until they are.
  double step = std::cbrt(std::numeric_limits<double>::epsilon()) / length;
  double slope = std::numeric_limits<double>::quiet_NaN();
  for (int halving = 0; halving < max_halvings && std::isnan(slope); ++halving, step /= 2) {
    double ends[2];
    for (int side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        moved[i] = x[i] + (side == 0 ? -step : step) * direction[i];
      }
      ends[side] = log_det_at(moved, scratch);
    }
    slope = (ends[1] - ends[0]) / (2 * step);
  }
  return slope;
}

template <LegendreFunction H>
void NewtonMap<H>::log_det_slope(ConstPoint x, ConstPoint factor, Point slope,
                                 Workspace& ws) const {
  const std::size_t d = primal_dim();
  if constexpr (KnowsLogDetGradient<H>) {
    h_.log_det_gradient(x, slope);
    dense::solve(factor, d, slope);
  } else {
    Workspace::Scope scope(ws);
    const Point direction = ws.array(d), moved = ws.array(d), scratch = ws.array(d * d);
    for (std::size_t j = 0; j < d; ++j) {
      std::fill(direction.begin(), direction.end(), 0.0);
      direction[j] = 1;
      dense::solve(factor, d, direction);
      // |H^-1 e_j| in the norm of H is sqrt(e_j' H^-1 e_j).
      slope[j] = slope_along(x, direction, std::sqrt(direction[j]), moved, scratch);
    }
  }
}

template <LegendreFunction H>
void NewtonMap<H>::add_log_det(ConstBlock, ConstBlock x, std::span<double> value, Block gy,
                               Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t d = primal_dim();
  const Point primal = ws.array(d), slope = ws.array(d), factor = ws.array(d * d);
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    load(x, lane, primal);
    value[lane] += log_det_at(primal, factor);
    if (std::isnan(value[lane])) {
      std::fill(slope.begin(), slope.end(), std::numeric_limits<double>::quiet_NaN());
    } else {
      log_det_slope(primal, factor, slope, ws);
    }
    for (std::size_t i = 0; i < d; ++i) {
      gy.at(i, lane) += slope[i];
    }
  }
}

}  // namespace tain
