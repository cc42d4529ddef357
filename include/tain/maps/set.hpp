// A constrained set as data: where x lives, whoever says so and wherever it is kept.
//
// Definition: a Set is of a kind (simplex, box, ball, ...; set_kind.hpp) with that kind's numbers.
//   It does not choose coordinates: map() does, with what a target knows of itself.
// Laws: two sets of the same kind and numbers are the same set; copies share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tain/core/named_kind.hpp"
#include "tain/core/numbers.hpp"
#include "tain/maps/mirror_map.hpp"

namespace tain {

class SetKind;

/// A named part of x: w is x[first], ..., x[first + count - 1]. The shape of a number is empty.
struct Parameter {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t first = 0, count = 0;
};

/// What a target knows of itself that decides coordinates; all may be empty.
struct MapHints {
  std::vector<double> typical_point;  ///< simplex: more than half of it becomes the reference
  std::vector<double> weights;        ///< of a Dirichlet law; below 1/2 they call for stretching
};

class Set {
 public:
  explicit Set(std::shared_ptr<const SetKind> kind) : kind_(std::move(kind)) {}

  const SetKind& kind() const { return *kind_; }
  /// Coordinates; none: the target decides. Throws Error (config) for a product of open parts.
  Dim dim() const;
  /// "product(w = simplex(4), sigma = positive)".
  std::string text() const;
  /// Strictly inside? Throws Error (config) for a point of another dimension.
  bool contains(std::span<const double> x) const;
  /// Some point well inside. `dim`: where the set leaves it open.
  std::vector<double> centre(Dim dim = {}) const;
  /// One at random: where the map takes normal coordinates around those of the centre.
  std::vector<double> point(std::uint64_t seed, Dim dim = {}) const;
  /// Parts that have names; none: x has no parts.
  std::vector<Parameter> parameters() const;
  /// `dim`: coordinates, where the set leaves them open. Throws Error (config).
  AnyMap map(std::size_t dim, const MapHints& hints = {}) const;

 private:
  AnyMap even_map(Dim dim) const;
  std::shared_ptr<const SetKind> kind_;
};

/// Names of coordinates: w[1], ..., sigma; x[1], ... where nothing is named.
std::vector<std::string> coordinate_names(std::span<const Parameter> parameters, std::size_t dim);

/// x_i > 0, summing to 1. `coordinates`: auto, symmetric, stretched, last, or the number of a
/// category (maps/simplex.hpp).
Set simplex(Dim categories = {}, std::string coordinates = "auto");
/// lower_i < x_i < upper_i; infinite where left out.
Set box(Numbers lower, Numbers upper, Dim dim = {});
Set positive(Dim dim = {});  ///< x_i > 0
Set real(Dim dim = {});      ///< no constraint
/// Mirror maps of a ball: smooth in y with exponential tails, or the paper's (appendix B.2).
enum class BallForm { tanh, paper };
Set ball(Dim dim = {}, double radius = 1, Numbers centre = {}, BallForm form = BallForm::tanh);

struct Part {
  std::string name;  ///< empty: none
  Set set;
};
/// Side by side. A named part without dim is one number. Throws Error (config) for no parts, a name
/// that is none or given twice, and where some have names and others not.
Set product(std::vector<Part> parts);
Set product(std::vector<Set> parts);
/// {A x + b}: the matrix row by row, square and invertible.
Set affine(Set inner, std::vector<double> matrix, Numbers shift = {});
/// A mirror map of one's own, with its set.
Set mapped(AnyMap own);

/// All kinds: those above but mapped.
std::vector<NamedKind> list_sets();

}  // namespace tain
