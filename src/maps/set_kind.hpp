// Kinds of sets: one file in src/maps/sets and one row of set_table() each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dimension.hpp"
#include "core/fields.hpp"
#include "tain/maps/set.hpp"

namespace tain {

class SetKind {
 public:
  virtual ~SetKind() = default;
  virtual std::string_view name() const = 0;
  /// Its numbers by name; none for those made of other sets.
  virtual void describe(Fields&) {}
  /// Claims what its numbers say of the dimension.
  virtual void claim(Dimension& dimension) const = 0;
  Dim dim() const;
  virtual AnyMap map(std::size_t dim, const MapHints& hints) const = 0;
  /// Throws Error (config) if its numbers make no set of this dimension.
  virtual void check(std::size_t dim) const { static_cast<void>(map(dim, {})); }
  virtual std::string text() const;
  virtual std::span<const Part> parts() const { return {}; }
  /// How many sets are within one another; all walks over a set are recursive.
  virtual std::size_t depth() const { return 1; }
  /// Is its volume finite? Whoever brings a map of their own is believed that it is.
  virtual bool bounded() const { return true; }
  /// What was decided about the map on the user's behalf; empty: nothing.
  virtual std::string choice(const AnyMap&) const { return {}; }
  virtual std::unique_ptr<SetKind> clone() const = 0;
};

struct SetEntry {
  std::string_view name;
  std::vector<std::string_view> former;  ///< names it had; files keep the first
  std::string_view summary;              ///< the set and the formula, one line
  /// With no numbers yet; null for those made of other sets.
  std::unique_ptr<SetKind> (*make)();
  /// What problem files say beside those sets.
  std::vector<std::string_view> keys = {};
};

/// All kinds, in the order they are listed to users.
std::span<const SetEntry> set_table();
/// Null if there is none that has or had this name.
const SetEntry* find_set(std::string_view name);
/// What files call a kind.
std::string_view name_in_files(const SetKind& kind);
/// The only kind that has such a number; null if none or several have.
const SetEntry* set_with_field(std::string_view field);

/// Images of other sets and their matrix: what problem files write beside the set's own numbers.
struct AffineParts {
  Set inner;
  std::span<const double> matrix;  ///< row by row
  const Numbers& shift;
};
/// None if the set is no affine image.
std::optional<AffineParts> affine_parts(const Set& set);

}  // namespace tain
