#include "cli/problem_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/kind_flags.hpp"
#include "core/file.hpp"

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

Document read_toml(const fs::path& path) {
  const std::string text = read_file(path);
  try {
    const toml::table table = toml::parse(text, path.string());
    Document document{to_json(table), {}};
    note_places(table, path, "", document.places);
    return document;
  } catch (const toml::parse_error& error) {
    fail(Fault::data, place(path, error.source().begin), error.description(),
         "correct the problem file");
  }
}

Document read_manifest(const fs::path& path) {
  const std::string text = read_file(path);
  const auto not_deep = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > 32) {  // copies and destructors of JSON are recursive
      fail(Fault::data, path.string(), "is nested too deeply",
           "give a manifest written by `tain sample -o`");
    }
    return true;
  };
  try {
    return {Json::parse(text, not_deep), {}};
  } catch (const Json::parse_error& error) {
    const std::size_t byte = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto start = text.begin();
    const auto end = start + static_cast<std::ptrdiff_t>(byte);
    const auto line = 1 + std::count(start, end, '\n');
    const std::size_t last = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
    const std::size_t column = last == std::string::npos ? byte + 1 : byte - last;
    fail(Fault::data, fmt::format("{}:{}:{}", path.string(), line, column), "is not valid JSON",
         "give a manifest written by `tain sample -o`");
  }
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
