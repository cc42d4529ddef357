// Names that users mistype: find the one they meant.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields.hpp"
#include "tain/core/named_kind.hpp"

namespace tain {

/// The candidate nearest to `name` by edits (insert, delete, replace, swap neighbours), or empty
/// when none is near: more than a third of the longer name would have to change.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// Throws Error (usage): `<option>: unknown value '<name>'; did you mean '<nearest>'?` or the list
/// of what there is.
[[noreturn]] void fail_unknown(std::string_view option, std::string_view name,
                               std::span<const std::string_view> candidates);

/// "a, b or c"
std::string one_of(std::span<const std::string_view> names);

// Tables whose rows have a name.

/// Null if there is none.
template <class Table>
auto find_row(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.name; });
  return found == std::end(table) ? nullptr : &*found;
}
/// Of the rows that are wanted, in their order.
template <class Table, class Wanted>
std::vector<std::string_view> names_of(const Table& table, Wanted wanted) {
  std::vector<std::string_view> names;
  for (const auto& row : table) {
    if (wanted(row)) {
      names.push_back(row.name);
    }
  }
  return names;
}

/// What a row's kind takes, and what files say beside it.
template <class Row>
std::vector<std::string> field_names(const Row& row) {
  FieldNames fields;
  if (row.make) {
    row.make()->describe(fields);
  }
  fields.names.insert(fields.names.end(), row.keys.begin(), row.keys.end());
  return std::move(fields.names);
}

/// All rows, for people.
template <class Table>
std::vector<NamedKind> named_kinds(const Table& table) {
  std::vector<NamedKind> rows;
  for (const auto& row : table) {
    rows.push_back({row.name, row.summary});
    if constexpr (requires { row.keys; }) {
      rows.back().fields = field_names(row);
    }
  }
  return rows;
}

}  // namespace tain
