#include "cli/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/fill.hpp"
#include "cli/kind_flags.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {
namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// A key that the chosen kind does not look at is a misunderstanding, so it is an error.
template <class Entries>
void require_owned(const RawTable& table, const Entries& entries, std::string_view what,
                   const std::vector<std::string>& own, std::string_view chosen) {
  for (const auto& [key, value] : table) {
    std::vector<std::string_view> owners;
    for (const auto& entry : entries) {
      if (has(flags_of(entry), key)) {
        owners.push_back(entry.name);
      }
    }
    if (!owners.empty() && !has(own, key)) {
      fail(Fault::config, value.origin,
           fmt::format("belongs to {} {}, but the {} is {}", what, fmt::join(owners, " or "), what,
                       chosen),
           owners.size() == 1 && what == "set"
               ? fmt::format("leave it out or use set {}", owners[0])
               : std::string("leave it out"));
    }
  }
}

// ---- sets --------------------------------------------------------------------------------------

[[noreturn]] void unknown_set(const RawValue& type) {
  std::vector<std::string_view> names;
  for (const SetEntry& known : set_table()) {
    names.push_back(known.name);
  }
  const std::string& name = type.parts.front();
  reject(type, fmt::format("unknown set '{}'", name),
         suggestion(name, names, fmt::format("give one of {}", fmt::join(names, ", "))));
}

/// A simple set with the numbers that its flags, or keys of a table, say.
Set simple_set(const Command& command, const RawTable& table, const RawValue& type) {
  const SetEntry* entry = find_set(type.parts.front());
  if (!entry) {
    unknown_set(type);
  }
  if (!entry->make) {
    reject(type, fmt::format("{} is no set by itself", entry->name),
           entry->name == "product" ? "write one [[set]] table per part into a problem file"
                                    : "write a [[set]] table with type, matrix and shift into one");
  }
  const std::unique_ptr<SetKind> kind = entry->make();
  require_owned(table, set_table(), "set", flags_of(*entry), entry->name);
  RawOptions raw;
  raw.values = table;
  const Options options(command, raw);
  OptionFields fields(options, Infinite::allowed);
  kind->describe(fields);
  if (const Dim dim = kind->dim()) {
    kind->check(*dim);
  }
  return Set(std::shared_ptr<const SetKind>(kind->clone()));
}

/// Errors about a table's numbers, at the place of the table.
template <class Work>
Set located(const RawTable& table, const RawValue& type, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::optional<Field> field = error.field();
    const bool has_place = std::ranges::any_of(table, [&](const auto& entry) {
      return std::string_view(error.what()).starts_with(entry.second.origin);
    });
    if (has_place || (!field && error.fault() != Fault::config)) {
      throw;
    }
    const auto found = table.find(field ? flag_of(field->name) : "");
    throw error.at(found == table.end() ? type.origin : found->second.origin);
  }
}

Set set_of_table(const Command& command, const RawTable& table) {
  const auto type = table.find("type");
  if (type == table.end()) {
    const std::string where = table.empty() ? "set" : table.begin()->second.origin;
    fail(Fault::config, where, "the table of a set has no type",
         "write type = \"simplex\" or another");
  }
  RawTable own = table;
  for (const char* key : {"type", "name", "matrix", "shift"}) {
    own.erase(key);
  }
  return located(table, type->second, [&] {
    const Set set = simple_set(command, own, type->second);
    const auto matrix = table.find("matrix"), shift = table.find("shift");
    if (matrix == table.end()) {
      if (shift != table.end()) {
        reject(shift->second, "needs a matrix", "give the matrix too, or shift the bounds");
      }
      return set;
    }
    if (matrix->second.columns == 0) {
      reject(matrix->second, "is not a matrix", "write a list of rows, e.g. [[1, 0], [1, 1]]");
    }
    Numbers moved;
    if (shift != table.end()) {
      moved = Numbers(parse_numbers(shift->second));
      moved.one_for_all = moved.values.size() == 1;
    }
    return affine(set, parse_numbers(matrix->second), moved);
  });
}

Set set_of_tables(const Command& command, const std::vector<RawTable>& tables) {
  if (tables.size() == 1 && !tables.front().contains("name")) {
    return set_of_table(command, tables.front());
  }
  std::vector<Part> parts;
  for (const RawTable& table : tables) {
    const auto name = table.find("name");
    if (name != table.end() && name->second.parts.size() > 1) {
      reject(name->second, "takes one value, not a list", "give one name per table");
    }
    parts.push_back({name == table.end() ? std::string() : name->second.parts.front(),
                     set_of_table(command, table)});
  }
  try {
    return product(std::move(parts));
  } catch (const Error& error) {  // at the last table of that name
    const RawTable* table = &tables.front();
    for (const RawTable& other : tables) {
      const auto name = other.find("name");
      table =
          name != other.end() && name->second.parts.front() == error.field().value_or(Field{}).value
              ? &other
              : table;
    }
    throw error.at(table->find(table->contains("name") ? "name" : "type")->second.origin);
  }
}

/// The only kind of set that has one of the flags, if there is one.
const SetEntry* implied_set(const Command& command, const RawOptions& raw) {
  for (const auto& [key, value] : raw.values) {
    std::string name = key;
    std::ranges::replace(name, '-', '_');
    if (const SetEntry* entry = set_with_field(name);
        entry && find_flag(command, key)->group == "Set") {
      return entry;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Set> read_set(const Command& command, const RawOptions& raw, const Target& target) {
  if (!raw.sets.empty()) {
    for (const auto& [key, value] : raw.values) {
      if (find_flag(command, key)->group == "Set" && key != "names") {
        fail(Fault::config, value.origin, "does nothing beside tables that describe the set",
             "leave it out, or write it into the table");
      }
    }
    return set_of_tables(command, raw.sets);
  }
  const Options options(command, raw);
  RawValue type;
  type.origin = "--set";
  const std::optional<Set> own = target.kind().own_set();
  if (const RawValue* value = options.find("set")) {
    type = *value;
  } else if (const SetEntry* implied = implied_set(command, raw)) {
    type.parts = {std::string(implied->name)};
  } else if (!own) {
    fail(Fault::usage, "--set", "is missing", "give --set NAME, see `tain sets`");
  } else {
    type.parts = {std::string(own->kind().name())};
  }
  RawTable table;
  for (const auto& [key, value] : raw.values) {
    if (find_flag(command, key)->group == "Set" && key != "set" && key != "names") {
      table.emplace(key, value);
    }
  }
  if (table.empty() && !options.given("set")) {
    return std::nullopt;
  }
  return simple_set(command, table, type);
}

Target read_target(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const RawValue& chosen = options.value("target");
  const std::string& name = chosen.parts.front();
  RawTable table;
  for (const auto& [key, value] : raw.values) {
    if (find_flag(command, key)->group == "Problem" && key != "target") {
      table.emplace(key, value);
    }
  }
  if (name.find('/') != std::string::npos) {
    require_owned(table, target_table(), "target", {"target-arguments"}, name);
    return library(name, options.text("target-arguments").value_or(""));
  }
  const TargetEntry* entry = find_target(name);
  if (!entry) {
    std::vector<std::string_view> names;
    for (const TargetEntry& known : target_table()) {
      names.push_back(known.name);
    }
    reject(chosen, fmt::format("unknown target '{}'", name),
           name.ends_with(".so")
               ? fmt::format("did you mean './{}'?", name)
               : suggestion(name, names, fmt::format("give one of {}", fmt::join(names, ", "))));
  }
  const std::unique_ptr<TargetKind> kind = entry->make();
  require_owned(table, target_table(), "target", flags_of(*entry), name);
  OptionFields fields(options);
  kind->describe(fields);
  kind->read();
  return Target(std::shared_ptr<const TargetKind>(kind->clone()));
}

}  // namespace tain::cli
