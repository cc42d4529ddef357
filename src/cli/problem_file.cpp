#include "cli/problem_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/kind_flags.hpp"
#include "core/file.hpp"
#include "sampling/json_text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Of a [[set]] table: what every set has, and what some have.
std::vector<std::string_view> set_key_table() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all{"type"};
    for (const SetEntry& entry : set_table()) {
      const std::vector<std::string> flags = flags_of(entry);
      all.insert(flags.begin(), flags.end());
    }
    return all;
  }();
  return {names.begin(), names.end()};
}

/// Where in the file a key stands: "problem.toml:3:1". Keys inside tables of sets: "set.0.lower".
using Places = std::map<std::string, std::string>;

struct Document {
  Json tree;
  Places places;
};

struct TooMany {
  toml::source_position where;
};

/// As in any JSON.
void require_few(const toml::table& table) {
  if (table.size() > most_members) {
    throw TooMany{table.source().begin};
  }
}

Json to_json(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* integer = node.as_integer()) {
    return integer->get();
  }
  if (const auto* number = node.as_floating_point()) {
    return number->get();
  }
  if (const auto* truth = node.as_boolean()) {
    return truth->get();
  }
  if (const auto* array = node.as_array()) {
    Json list = Json::array();
    for (const toml::node& element : *array) {
      list.push_back(to_json(element));
    }
    return list;
  }
  if (const auto* table = node.as_table()) {
    require_few(*table);
    Json object = Json::object();
    for (const auto& [key, value] : *table) {
      object[std::string(key.str())] = to_json(value);
    }
    return object;
  }
  return nullptr;  // dates: no option takes one, so the reader refuses them
}

std::string place(const fs::path& path, const toml::source_position& position) {
  return fmt::format("{}:{}:{}", path.string(), position.line, position.column);
}

void note_places(const toml::table& table, const fs::path& path, const std::string& prefix,
                 Places& places) {
  for (const auto& [key, value] : table) {
    const std::string name = prefix + std::string(key.str());
    places[name] = place(path, key.source().begin);
    if (const auto* inner = value.as_table()) {
      note_places(*inner, path, name + ".0.", places);
    } else if (const auto* array = value.as_array(); array && array->is_array_of_tables()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        note_places(*array->get(i)->as_table(), path, fmt::format("{}.{}.", name, i), places);
      }
    }
  }
}

/// Behind the string that begins at a place: a basic or a literal one, of one line or of several.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string delimiter(text.substr(at).starts_with(std::string(3, quote)) ? 3 : 1, quote);
  const bool one_line = delimiter.size() == 1;
  for (at += delimiter.size(); at < text.size(); ++at) {
    if (one_line && text[at] == '\n') {
      return at;  // which the parser refuses
    }
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(delimiter)) {
      at += delimiter.size();
      for (int more = 0; !one_line && more < 2 && at < text.size() && text[at] == quote; ++more) {
        ++at;  // two may belong to the text of one of several lines
      }
      return at;
    }
  }
  return text.size();
}

/// The parser bounds values within values, but not the tables that dots in keys make; and to walk
/// and to free a tree is recursive. This many brackets within each other, and dots in a key.
constexpr std::size_t deepest_toml = 32;

/// What is made of a file takes a hundred times its size; longer lists have files of their own.
constexpr std::uint64_t most_toml_bytes = std::uint64_t{8} << 20;

/// Knows strings and comments, and so agrees with the parser up to the first mistake, where that
/// ends.
void require_shallow(std::string_view text, const fs::path& path) {
  std::size_t open = 0, dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at) - 1;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '.') {
      ++dots;
    } else if (std::string_view("[]{}=,\n").find(c) != std::string_view::npos) {
      dots = 0;
      open += c == '[' || c == '{' ? 1 : 0;
      open -= (c == ']' || c == '}') && open > 0 ? 1 : 0;
    }
    if (open > deepest_toml || dots > deepest_toml) {
      const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
      fail(Fault::data, fmt::format("{}:{}", path.string(), line), "is nested too deeply",
           "correct the problem file");
    }
  }
}

Document read_toml(const fs::path& path) {
  const std::string text = read_file(path, most_toml_bytes);
  require_shallow(text, path);
  try {
    const toml::table table = toml::parse(text, path.string());
    Document document{to_json(table), {}};
    note_places(table, path, "", document.places);
    return document;
  } catch (const TooMany& table) {
    fail(Fault::data, place(path, table.where),
         fmt::format("a table of more than {} keys", most_members), "correct the problem file");
  } catch (const toml::parse_error& error) {
    fail(Fault::data, place(path, error.source().begin), error.description(),
         "correct the problem file");
  }
}

Document read_manifest(const fs::path& path) {
  return {read_json(read_file(path, most_record_bytes), path.string(),
                    "give a manifest written by `tain sample -o`"),
          {}};
}

/// Turns one tree into RawOptions; knows the file for messages and relative paths.
class Translator {
 public:
  Translator(const Command& command, fs::path path, Places places)
      : command_(command), path_(std::move(path)), places_(std::move(places)) {}

  RawOptions options(const Json& tree) const {
    RawOptions result;
    for (const auto& [key, value] : tree.items()) {
      const bool former = key == "map";
      if (former && tree.contains("set")) {
        fail(Fault::config, where(key, key), "is an old name of set, which is there too",
             "leave it out");
      }
      if (former) {
        result.hints.push_back(
            old_name(where(key, key), value.is_structured() ? "[[set]]" : "set"));
      }
      if ((former || key == "set") && value.is_structured()) {
        result.sets = set_tables(key, value);
        continue;
      }
      if (key == "check-gradient" && value == true) {
        result.hints.push_back(always_checked(where(key, key)));
        continue;
      }
      const Flag* flag = find_flag(command_, former ? "set" : key);
      if (!flag || flag->name == "help") {
        unknown_key(key, key, flag_names(command_));
      }
      result.values[std::string(flag->name)] = located(*flag, raw(key, key, value));
    }
    rename_sets(result);
    return result;
  }

 private:
  std::string where(const std::string& place_key, const std::string& key) const {
    const auto found = places_.find(place_key);
    return fmt::format("{}: {}", found == places_.end() ? path_.string() : found->second, key);
  }

  [[noreturn]] void unknown_key(const std::string& place_key, const std::string& key,
                                std::span<const std::string_view> names) const {
    fail(Fault::config, where(place_key, key), "is not an option",
         suggestion(key, names, "keys are the flags of `tain sample --help`"));
  }

  RawValue raw(const std::string& place_key, const std::string& key, const Json& value) const {
    RawValue result;
    result.origin = where(place_key, key);
    result.fault = Fault::config;
    if (!value.is_array()) {
      result.parts = {scalar(result, value)};
      return result;
    }
    for (const Json& element : value) {
      if (element.is_array()) {
        const std::size_t columns = element.size();
        if (result.columns == 0 ? !result.parts.empty() : result.columns != columns) {
          reject(result, "has rows of different lengths", "give rows of equal length");
        }
        result.columns = columns;
        for (const Json& cell : element) {
          result.parts.push_back(scalar(result, cell));
        }
      } else {
        result.parts.push_back(scalar(result, element));
      }
    }
    if (result.parts.empty()) {
      reject(result, "is an empty list", "give at least one element");
    }
    return result;
  }

  static std::string scalar(const RawValue& owner, const Json& value) {
    if (value.is_string()) {
      return value.get<std::string>();
    }
    if (value.is_boolean()) {
      return value.get<bool>() ? "true" : "false";
    }
    if (value.is_number_unsigned()) {
      return fmt::format("{}", value.get<std::uint64_t>());
    }
    if (value.is_number_integer()) {
      return fmt::format("{}", value.get<std::int64_t>());
    }
    if (value.is_number()) {
      return fmt::format("{}", value.get<double>());
    }
    reject(owner, "has a value of the wrong kind", "give a number, a text or a list");
  }

  /// Lists only where the flag takes them; input files beside the problem file.
  RawValue located(const Flag& flag, RawValue value) const {
    const bool list = flag.kind == Kind::numbers || flag.kind == Kind::words;
    if (flag.kind == Kind::matrix && value.columns > 0) {
      return value;
    }
    if (value.columns > 0 || (!list && value.parts.size() > 1)) {
      reject(value, "takes one value, not a list", "give one value");
    }
    std::string& text = value.parts.front();
    if (list && value.parts.size() == 1 && !text.starts_with('@')) {
      value.parts = split_list(std::string(text), value);
    } else if (list && text.starts_with('@')) {
      text = "@" + (path_.parent_path() / text.substr(1)).string();
    } else if (flag.kind == Kind::input_file || flag.kind == Kind::matrix ||
               (flag.name == "target" && text.find('/') != std::string::npos)) {
      text = (path_.parent_path() / text).string();
    }
    return value;
  }

  std::vector<RawTable> set_tables(const std::string& name, const Json& value) const {
    std::vector<RawTable> tables;
    const Json list = value.is_object() ? Json::array({value}) : value;
    for (std::size_t i = 0; i < list.size(); ++i) {
      RawTable& table = tables.emplace_back();
      if (!list[i].is_object()) {
        fail(Fault::config, where(name, name), "is not a table",
             fmt::format("write [[{}]] tables", name));
      }
      for (const auto& [key, entry] : list[i].items()) {
        const std::string place_key = fmt::format("{}.{}.{}", name, i, key);
        const std::vector<std::string_view> known = set_key_table();
        if (std::ranges::find(known, key) == known.end()) {
          unknown_key(place_key, key, known);
        }
        table[key] = raw(place_key, key, entry);
      }
    }
    return tables;
  }

  const Command& command_;
  fs::path path_;
  Places places_;
};

}  // namespace

RawOptions options_from(const Command& command, const Json& object, const fs::path& origin) {
  return Translator(command, origin, {}).options(object);
}

RawOptions read_problem_file(const Command& command, const fs::path& path) {
  if (path.extension() != ".toml" && path.extension() != ".json") {
    fail(Fault::usage, path.string(), "is neither a problem file nor a manifest",
         "give a file that ends in .toml or .json, or name the target by --target");
  }
  if (path.extension() == ".toml") {
    Document document = read_toml(path);
    return Translator(command, path, std::move(document.places)).options(document.tree);
  }
  const Document document = read_manifest(path);
  if (!document.tree.is_object() || !document.tree.contains("options") ||
      !document.tree["options"].is_object()) {
    fail(Fault::data, path.string(), "has no \"options\" object",
         "give a manifest written by `tain sample -o`");
  }
  RawOptions options = options_from(command, document.tree["options"], path);
  options.hints.clear();  // files of runs keep the names
  if (document.tree.contains("inputs") && document.tree["inputs"].is_object()) {
    for (const auto& [input, hash] : document.tree["inputs"].items()) {
      options.inputs[input] = hash.is_string() ? hash.get<std::string>() : "";
    }
  }
  return options;
}

}  // namespace tain::cli
