// A look at the whole of W before a run: which modes there are, and points to start chains at.
//
// Definition: points around y0 at scales from half to 3e7 dual units descend to where W is least
//   around them (run/descent.hpp). Around the modes they find, at 2.5 to 100 sd, thousands of
//   points more are looked at, and those descend from which the way down leads to none of them:
//   where the gradient is at an angle to the way back, as the mode's Gaussian measures it, which
//   is 0 wherever W depends on the Gaussian's radius alone.
//   Mode: ends between which W rises by less than 1.5 nats, also by way of others (ridges, rings).
//     Chains step over that.
//   Weight of a point: -W - sum_i log(k_i) / 2, k_i = |d2W/dy_i2| + (dW/dy_i)^2: the log mass of a
//     Gaussian as wide as W is there. Modes and starts count where it is within d + 3 sqrt(d) + 3
//     of the best; the bottom of a funnel, deep but without mass, does not.
//   Share of a mode: by Laplace's exp(-W) / sqrt(det Hess W), from gradient differences, where all
//     that count are single smooth wells of at most 40 coordinates.
//   Entries: where a descent first met energies of draws, and where the line from its end towards
//     its start leaves them: points that a draw might be at, on all sides of a mode.
// Limits: first-order methods see a mode only from where W slopes towards it. From a mode w times
//   as wide as the one between, w < 1, that is a cone of half-angle asin w: with w = 1/2, in 5
//   dimensions one of 80 directions, in 10 one of 3,400.
// Cost: 64 descents, some 30 gradients each, and half a gradient per step of the run, at least
//   4,096 (1,024 and 2,048 in one and two dimensions); at most 64 descents more.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "random/noise.hpp"
#include "run/descent.hpp"

namespace tain {

/// A place of W: how low, and how wide along each coordinate.
struct Well {
  std::vector<double> y;
  double value = 0;           ///< W there
  std::vector<double> width;  ///< 1 / sqrt(k_i)
  double weight = 0;
};

struct Mode : Well {
  std::vector<std::vector<double>> ends = {};  ///< others that descents ended at
  std::optional<double> log_mass = {};         ///< Laplace's, up to a constant
};

struct Survey {
  std::vector<Mode> modes;                 ///< those that count
  std::vector<std::vector<Well>> entries;  ///< of each mode; without modes all in one
  bool masses_known = false;
  /// Too light to begin chains in, by up to ten nats; none where masses are not known. One that is
  /// far enough away still makes a mean or an sd.
  std::vector<Mode> light;

  /// Of one of `modes` or `light`: its share of all mass; none: unknown.
  std::optional<double> share(const Mode& mode) const;
  /// The mode whose well would put W lowest at y: number of one of `modes`, then of `light`.
  std::size_t mode_of(std::span<const double> y) const;
};

/// How many looks a run of so many steps, over all chains, can afford and needs.
std::size_t looks_for(std::size_t dim, std::size_t steps);

Survey survey(const AnyPotential& W, const std::vector<double>& y0, std::size_t looks,
              const NoiseField& noise, Workspace& ws);

}  // namespace tain
