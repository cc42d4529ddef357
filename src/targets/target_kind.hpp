// Kinds of targets: one file in src/targets/kinds and one row of target_table() each.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dimension.hpp"
#include "core/fields.hpp"
#include "tain/targets/target.hpp"

namespace tain {

class TargetKind {
 public:
  virtual ~TargetKind() = default;
  virtual std::string name() const = 0;
  /// Its numbers by name; none where it is code.
  virtual void describe(Fields&) {}
  /// Code is known by its values only, and so are numbers that no file has.
  virtual bool is_code() const { return false; }
  /// Written by whoever samples it, so that its gradient may be wrong?
  virtual bool is_own() const { return false; }
  /// Reads its files, if it has any; throws Error (no_input, data, config).
  virtual void read() {}
  virtual void claim(Dimension& dimension) const = 0;
  virtual AnyPotential potential(Dim dim) const = 0;
  virtual std::vector<std::string> names() const { return {}; }
  /// Where it lives if nobody says so.
  virtual std::optional<Set> own_set() const { return real(); }
  /// Is it a law on no other set?
  virtual bool bound_to_own_set() const { return false; }
  virtual std::unique_ptr<TargetKind> clone() const = 0;
};

struct TargetEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<TargetKind> (*make)();    ///< with no numbers yet; null: from a shared library
  std::vector<std::string_view> keys = {};  ///< what those take
};

template <class Kind>
std::unique_ptr<TargetKind> make_target_kind() {
  return std::make_unique<Kind>();
}

/// With its files read.
template <class Kind>
Target ready(Kind kind) {
  kind.read();
  return Target(std::make_shared<const Kind>(std::move(kind)));
}

/// Throws Error (usage) where nothing said how many coordinates there are.
std::size_t known(const Dim& dim);

std::span<const TargetEntry> target_table();
/// Null if there is none of this name; shared libraries are named by their file.
const TargetEntry* find_target(std::string_view name);

}  // namespace tain
