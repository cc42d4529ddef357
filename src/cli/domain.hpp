// From options to a mirror map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tain/maps/mirror_map.hpp"
#include "values.hpp"

namespace tain::cli {

/// The dimension of a problem, agreed on by everything that implies one.
class Dimension {
 public:
  /// Throws Error (config) that names both sides when they disagree.
  void claim(std::size_t size, const std::string& origin);
  std::optional<std::size_t> agreed() const { return size_; }
  /// Throws Error (usage) when nothing implied a dimension.
  std::size_t require() const;

 private:
  std::optional<std::size_t> size_;
  std::string origin_;
};

/// A set as written: a [map] table, one [[map]] table of a product, the flags, or Python's domains.
struct SetDescription {
  std::string type;
  std::string origin;  ///< for messages
  Fault fault = Fault::usage;
  std::optional<std::vector<double>> lower, upper, centre;
  double radius = 1;
  std::string ball_form = "tanh";
  std::string coordinates = "auto";
  std::optional<std::size_t> dim;       ///< what its own keys say, before the affine image
  std::vector<SetDescription> factors;  ///< of a product
  std::vector<double> matrix;           ///< row-major, empty: no affine image
  std::size_t matrix_columns = 0;
  std::vector<double> shift;
};

/// Claims what dimension the flags or tables imply.
SetDescription read_domain(const Command& command, const RawOptions& raw,
                           std::string_view default_type, Dimension& dimension);

/// Coordinates of the set itself, after the affine image; none: the target decides.
std::optional<std::size_t> ambient_dim(const SetDescription& set);

/// What a target knows about itself that decides automatic simplex coordinates; both may be empty.
struct SimplexHints {
  std::vector<double>
      typical_point;            ///< a category with more than half of it becomes the reference
  std::vector<double> weights;  ///< of a Dirichlet law; below 1/2 they call for stretching
};

/// Reference category chosen for a simplex by `coordinates` (0-based); none: symmetric.
std::optional<std::size_t> simplex_reference(const SetDescription& set, std::size_t categories,
                                             const std::vector<double>& typical_point);

/// `dim`: coordinates where the set leaves them open. Throws Error (config) where a factor does, or
/// numbers do not fit together.
AnyMap make_map(const SetDescription& set, std::size_t dim, const SimplexHints& hints);

/// One value for all, or one per coordinate.
std::vector<double> spread(const std::vector<double>& values, std::size_t dim);

}  // namespace tain::cli
