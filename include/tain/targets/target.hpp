// A density p up to a constant, as V = -log p: a kind with its numbers, or code, which says whether
// it gives V (target, potential) or log p (log_density).
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

#include "tain/core/named_kind.hpp"
#include "tain/core/numbers.hpp"
#include "tain/maps/set.hpp"
#include "tain/targets/potential.hpp"

namespace tain {

class Dimension;
class TargetKind;

class Target {
 public:
  explicit Target(std::shared_ptr<const TargetKind> kind);
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
  /// The same in so many coordinates.
  Target with_dim(std::size_t dim) const;
  const Dim& given_dim() const { return dim_; }
  /// What it implies of the number of coordinates. Throws Error (config) where that is two numbers.
  void claim(Dimension& dimension) const;
  /// Throws Error (config) where the dimension is not one it can have; none: it decides.
  AnyPotential potential(Dim dim) const;

 private:
  struct Made;
  std::shared_ptr<const TargetKind> kind_;
  Dim dim_;
  std::shared_ptr<Made> made_;  // the last potential: some take long to make
};

/// A value at one point, and its gradient; called lane by lane, from several threads.
using PointFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;
/// The value is V = -log p, the gradient that of V: what is least where x is likely.
Target potential(PointFunction V, Dim dim = {}, std::string name = "target");
/// The same, by its older name.
Target target(PointFunction V, Dim dim = {}, std::string name = "target");
/// The value is log p, the gradient that of log p: what is greatest where x is likely, as in Stan.
Target log_density(PointFunction log_p, Dim dim = {}, std::string name = "target");
/// Code on blocks of lanes that evaluates log p, and the gradient of log p.
Target log_density(AnyPotential log_p, std::vector<std::string> names = {});
/// From a shared library built with tain/target_abi.h, which says what it gives.
Target library(const std::filesystem::path& file, std::string arguments = {});

namespace targets {
struct Dirichlet {
  Numbers counts = {};
  Numbers alpha = {};  ///< 1 where left out
};
struct Gaussian {
  Numbers mean = {};                        ///< 0 where left out
  Numbers sd = {};                          ///< 1 where no spread is given
  Numbers covariance = {}, precision = {};  ///< row by row, or Numbers::file("C.txt")
};
/// Rows in a file, or as numbers. A file is read again when a run is repeated or resumed; numbers
/// are not kept with a run: whoever resumes it gives them again, as code.
struct Regression {
  std::filesystem::path data = {};           ///< CSV with a header
  std::optional<std::string> response = {};  ///< column of it; the last where left out
  std::vector<double> features = {};         ///< row by row, instead of `data`
  std::vector<double> responses = {};        ///< one per row; logistic: 0 or 1
  std::vector<std::string> names = {};       ///< of the columns of features; else x[1], ...
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

/// All that have names, and shared libraries.
std::vector<NamedKind> list_targets();

/// Chooses coordinates of the set for a target: what it knows of itself are the hints. `dim`:
/// coordinates where the set leaves them open.
AnyMap map_of(const Set& set, const AnyPotential& target);

}  // namespace tain
