// A density up to a constant, as V = -log density: a kind with its numbers, or code.
//
// Definition: a Target may leave its dimension open (gaussian() is one in any); potential(dim)
//   closes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tain/core/numbers.hpp"
#include "tain/maps/set.hpp"
#include "tain/targets/potential.hpp"
#include "tain/targets/regression.hpp"

namespace tain {

class TargetKind;

class Target {
 public:
  explicit Target(std::shared_ptr<const TargetKind> kind) : kind_(std::move(kind)) {}
  /// Code on blocks of lanes, the fast kind; if it is a sum of terms (Decomposable) also for
  /// mini-batches. `names` of coordinates may be left out.
  Target(AnyPotential code, std::vector<std::string> names = {});
  template <Potential P>
  Target(P code)  // NOLINT(google-explicit-constructor): every potential is a target
      : Target(AnyPotential(std::move(code))) {}

  const TargetKind& kind() const { return *kind_; }
  /// Coordinates; none: the set decides.
  Dim dim() const;
  std::string name() const;
  /// Throws Error (config) where the dimension is not one it can have; none: it decides.
  AnyPotential potential(Dim dim) const;

 private:
  std::shared_ptr<const TargetKind> kind_;
};

/// V at one point, and its gradient; called lane by lane, from several threads.
using PointFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;
Target target(PointFunction V, Dim dim = {}, std::string name = "target");
/// From a shared library built with tain/target_abi.h.
Target library(const std::filesystem::path& file, std::string arguments = {});

namespace targets {
struct Dirichlet {
  Numbers counts = {};
  Numbers alpha = {};  ///< 1 where left out
};
struct Gaussian {
  Numbers mean = {};  ///< 0 where left out
  Numbers sd = {};    ///< 1 where no spread is given
  std::optional<std::filesystem::path> covariance = {}, precision = {};  ///< files of a matrix
};
struct Regression {
  std::filesystem::path data = {};           ///< CSV with a header
  std::optional<std::string> response = {};  ///< column; the last where left out
  bool intercept = false;                    ///< adds a constant column
  std::optional<double> noise_sd = {};       ///< linear: 1 where left out
  std::optional<double> prior_sd = {};       ///< flat where left out
};
}  // namespace targets

Target dirichlet(targets::Dirichlet numbers);
Target gaussian(targets::Gaussian numbers = {});
Target uniform();
Target linear_regression(targets::Regression numbers);
Target logistic_regression(targets::Regression numbers);

/// Chooses coordinates of the set for a target: what it knows of itself are the hints. `dim`:
/// coordinates where the set leaves them open.
AnyMap map_of(const Set& set, const AnyPotential& target);

}  // namespace tain
