#include "sampling/asked_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/checksum.hpp"
#include "core/file.hpp"
#include "core/number_file.hpp"
#include "maps/set_kind.hpp"
#include "sampling/manifest_values.hpp"
#include "targets/target_kind.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

std::string key_of(std::string_view name) {
  std::string key(name);
  std::ranges::replace(key, '_', '-');
  return key;
}

Json number_json(double number) {
  if (std::isinf(number)) {  // JSON has no infinity
    return number > 0 ? "inf" : "-inf";
  }
  return number;
}

constexpr std::string_view known_by_checksum = " numbers, checksum ";

/// Such numbers cannot be read back.
void require_numbers(const Json& value) {
  if (value.is_string() && value.get<std::string>().find(known_by_checksum) != std::string::npos) {
    fail(Fault::config, "record", "has a checksum where there were many numbers",
         "give target and set again");
  }
}

/// Too many numbers for a line of a file are known by their checksum only.
Json list_json(std::span<const double> numbers) {
  constexpr std::size_t most = 20'000;
  if (numbers.size() > most) {
    Checksum checksum;
    checksum.add(std::as_bytes(numbers));
    return fmt::format("{}{}{:016x}", numbers.size(), known_by_checksum, checksum.value());
  }
  Json list = Json::array();
  for (const double number : numbers) {
    list.push_back(number_json(number));
  }
  return list;
}

Json rows_json(std::span<const double> matrix) {
  if (const Json flat = list_json(matrix); flat.is_string()) {
    return flat;
  }
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(double(matrix.size()))));
  Json rows = Json::array();
  for (std::size_t first = 0; first < matrix.size(); first += side) {
    rows.push_back(list_json(matrix.subspan(first, side)));
  }
  return rows;
}

double number_of(const Json& value) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (value.is_number()) {
    return value.get<double>();
  }
  if (value == "inf" || value == "-inf") {
    return value == "inf" ? infinity : -infinity;
  }
  fail(Fault::config, "record", "has no number where one belongs",
       "give the file that was written");
}

/// Shared libraries are named by their file.
bool is_path(std::string_view name) { return name.find('/') != std::string_view::npos; }

class Writer final : public Fields {
 public:
  using Fields::choice;
  using Fields::field;
  explicit Writer(Json& object) : object_(object) {}

  void field(std::string_view name, std::optional<bool>& value) override {
    if (value.value_or(false)) {
      set(name, true);
    }
  }
  void field(std::string_view name, Numbers& value) override {
    if (!value.source.empty()) {
      set(name, "@" + fs::absolute(value.source).lexically_normal().string());
    } else if (value.given()) {
      set(name, list_json(value.values));
    }
  }
  void matrix(std::string_view name, Numbers& value) override {
    if (!value.source.empty()) {
      set(name, fs::absolute(value.source).lexically_normal().string());
    } else if (value.given()) {
      set(name, rows_json(value.values));
    }
  }
  void field(std::string_view name, std::optional<std::uint64_t>& value) override {
    if (value) {
      set(name, *value);
    }
  }
  void field(std::string_view name, std::optional<double>& value) override {
    if (value) {
      set(name, number_json(*value));
    }
  }
  void field(std::string_view name, std::optional<std::string>& value) override {
    if (value) {
      set(name, *value);
    }
  }
  void field(std::string_view name, std::vector<std::string>& value) override {
    if (!value.empty()) {
      set(name, value.size() == 1 ? Json(value.front()) : Json(value));
    }
  }
  void field(std::string_view name, WordOrNumbers& value) override {
    std::vector<std::string> words;
    for (const double number : value.numbers) {
      words.push_back(fmt::format("{}", number));
    }
    words.empty() ? set(name, value.word) : field(name, words);
  }
  void file(std::string_view name, std::optional<fs::path>& value) override {
    if (value) {
      set(name, fs::absolute(*value).lexically_normal().string());
    }
  }
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t& value) override {
    if (value < words.size()) {
      set(name, std::string(words[value]));
    }
  }

 private:
  void set(std::string_view name, Json value) { object_[key_of(name)] = std::move(value); }
  Json& object_;
};

/// What a set or a target is made of, from what was written.
class Reader final : public Fields {
 public:
  using Fields::choice;
  using Fields::field;
  /// `most`: what a count may be, whatever is written.
  Reader(const Json& object, std::uint64_t most) : object_(object), most_(most) {}

  void field(std::string_view name, Numbers& value) override {
    const Json* found = find(name);
    if (!found) {
      return;
    }
    require_numbers(*found);
    if (found->is_string() && found->get<std::string>().starts_with('@')) {
      const fs::path path = found->get<std::string>().substr(1);
      value = Numbers(read_numbers(path));
      value.source = path;
    } else if (!found->is_array()) {
      value = Numbers(number_of(*found));
    } else {
      std::vector<double> each;
      for (const Json& number : *found) {
        each.push_back(number_of(number));
      }
      value = Numbers(std::move(each));
    }
    value.one_for_all = value.values.size() == 1;
  }
  void field(std::string_view name, std::optional<bool>& value) override {
    if (const Json* found = find(name); found && found->is_boolean()) {
      value = found->get<bool>();
    }
  }
  void field(std::string_view name, std::optional<std::uint64_t>& value) override {
    const Json* found = find(name);
    if (found && found->is_number_unsigned() && found->get<std::uint64_t>() <= most_) {
      value = found->get<std::uint64_t>();
    } else if (found) {
      const double number = number_of(*found);
      if (!(number >= 0 && number <= double(std::min(most_, std::uint64_t{1} << 53)))) {
        fail(Fault::config, "record", "has a count that is none", "write the file again");
      }
      value = static_cast<std::uint64_t>(number);
    }
  }
  void field(std::string_view name, std::optional<double>& value) override {
    if (const Json* found = find(name)) {
      value = number_of(*found);
    }
  }
  void field(std::string_view name, std::optional<std::string>& value) override {
    if (const Json* found = find(name); found && found->is_string()) {
      value = found->get<std::string>();
    }
  }
  void field(std::string_view name, std::vector<std::string>& value) override {
    const Json* found = find(name);
    if (!found) {
      return;
    }
    value.clear();
    for (const Json& word : found->is_array() ? *found : Json::array({*found})) {
      value.push_back(word.is_string() ? word.get<std::string>() : word.dump());
    }
  }
  void field(std::string_view name, WordOrNumbers& value) override {
    std::vector<std::string> words;
    field(name, words);
    if (words.empty()) {
      return;
    }
    value = {};
    for (const std::string& word : words) {
      const char* const end = word.data() + word.size();
      double number = 0;
      const auto [stop, error] = std::from_chars(word.data(), end, number);
      if (error == std::errc() && stop == end) {
        value.numbers.push_back(number);
      } else {
        value.word = word;
      }
    }
  }
  void file(std::string_view name, std::optional<fs::path>& value) override {
    if (const Json* found = find(name); found && found->is_string()) {
      value = found->get<std::string>();
    }
  }
  void matrix(std::string_view name, Numbers& value) override {
    const Json* found = find(name);
    if (!found || !found->is_array()) {
      require_numbers(found ? *found : Json());
      Fields::matrix(name, value);
      return;
    }
    value = {};
    for (const Json& row : *found) {
      for (const Json& number : row) {
        value.values.push_back(number_of(number));
      }
    }
  }
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t& value) override {
    if (const Json* found = find(name); found && found->is_string()) {
      const auto word = std::ranges::find(words, found->get<std::string>());
      value = word == words.end() ? value : static_cast<std::size_t>(word - words.begin());
    }
  }

 private:
  const Json* find(std::string_view name) const {
    const auto found = object_.find(key_of(name));
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& object_;
  std::uint64_t most_;
};

/// One table of a list: numbers by themselves where there is one, keys in order of the alphabet.
Json table_json(const Part& part) {
  const std::optional<AffineParts> image = affine_parts(part.set);
  const Set& inner = image ? image->inner : part.set;
  Json written = Json::object();
  Writer writer(written);
  inner.kind().clone()->describe(writer);
  written["type"] = std::string(name_in_files(inner.kind()));
  if (!part.name.empty()) {
    written["name"] = part.name;
  }
  if (image) {
    written["matrix"] = rows_json(image->matrix);
    if (image->shift.given()) {
      written["shift"] = image->shift.values;
    }
  }
  std::map<std::string, Json> ordered;
  for (const auto& [key, value] : written.items()) {
    const bool whole = value.is_number_unsigned();
    ordered[key] = whole ? Json(value.get<double>())
                   : value.is_array() && value.size() == 1 && key != "matrix" ? value.front()
                                                                              : value;
  }
  Json table = Json::object();
  for (const auto& [key, value] : ordered) {
    table[key] = value;
  }
  return table;
}

bool is_composed(const Set& set) {
  return !set.kind().parts().empty() || affine_parts(set).has_value();
}

/// Of one word, or the image of one.
bool fits_a_table(const Set& set) {
  const std::optional<AffineParts> image = affine_parts(set);
  const SetEntry* entry = find_set(image ? image->inner.kind().name() : set.kind().name());
  return entry && entry->make;
}

void write_set(const Set& set, const Target& target, Json& object) {
  if (const auto parts = set.kind().parts(); parts.size() == 1 && parts.front().name.empty()) {
    write_set(parts.front().set, target, object);  // it is that set
    return;
  }
  if (!is_recordable(set)) {
    object["map"] = set.text();
    return;
  }
  if (is_composed(set)) {
    Json tables = Json::array();
    for (const Part& part : set.kind().parts()) {
      tables.push_back(table_json(part));
    }
    object["map"] = tables.empty() ? Json::array({table_json({"", set})}) : tables;
    return;
  }
  const std::optional<Set> own = target.kind().own_set();
  if (target.kind().is_code() || !own || own->kind().name() != set.kind().name()) {
    object["map"] = std::string(name_in_files(set.kind()));
  }
  Writer writer(object);
  set.kind().clone()->describe(writer);
}

/// Says how many coordinates there are where that is left open.
class GivenDim final : public NothingGiven {
 public:
  using NothingGiven::field;
  explicit GivenDim(std::size_t dim) : dim_(dim) {}
  void field(std::string_view name, std::optional<std::uint64_t>& value) override {
    value = name == "dim" && !value ? dim_ : value;
  }

 private:
  std::optional<std::uint64_t> dim_;
};

Set closed(const Set& set, std::size_t dim) {
  const std::unique_ptr<SetKind> kind = set.kind().clone();
  GivenDim given(dim);
  kind->describe(given);
  return Set(std::shared_ptr<const SetKind>(kind->clone()));
}

/// Files behind numbers and matrices.
class InputFiles final : public NothingGiven {
 public:
  using NothingGiven::field;
  void field(std::string_view, Numbers& value) override { add(value.source); }
  void file(std::string_view, std::optional<fs::path>& value) override { add(value.value_or("")); }
  void add(const fs::path& path) {
    if (!path.empty() && !fs::is_fifo(path)) {  // a pipe gave what it had
      hashes[fs::absolute(path).lexically_normal().string()] = file_hash(path);
    }
  }
  std::map<std::string, std::string> hashes;
};

void add_files(const Set& set, InputFiles& files) {
  set.kind().clone()->describe(files);
  for (const Part& part : set.kind().parts()) {
    add_files(part.set, files);
  }
  if (const std::optional<AffineParts> image = affine_parts(set)) {
    add_files(image->inner, files);
  }
}

Set set_from_table(const Json& table, std::size_t dim) {
  if (!table.is_object()) {
    fail(Fault::config, "record", "has no table where one belongs", "write the file again");
  }
  const SetEntry* entry = find_set(text_in(table, "type"));
  if (!entry || !entry->make) {
    fail(Fault::config, "record", "has no set that a file can describe", "give the set again");
  }
  const std::unique_ptr<SetKind> kind = entry->make();
  Reader reader(table, dim);
  kind->describe(reader);
  Set set{std::shared_ptr<const SetKind>(kind->clone())};
  if (!table.contains("matrix")) {
    return set;
  }
  require_numbers(table["matrix"]);
  std::vector<double> matrix;
  for (const Json& row : table["matrix"]) {
    for (const Json& number : row) {
      matrix.push_back(number_of(number));
    }
  }
  Numbers shift;
  reader.field("shift", shift);
  return affine(set, std::move(matrix), shift);
}

Set set_from_tables(const Json& tables, std::size_t dim) {
  if (tables.size() == 1 && text_in(tables.front(), "name").empty()) {
    return set_from_table(tables.front(), dim);
  }
  std::vector<Part> parts;
  for (const Json& table : tables) {
    parts.push_back({text_in(table, "name"), set_from_table(table, dim)});
  }
  return product(std::move(parts));
}

/// Where the target lives if nobody says so.
std::string own_set_name(const Json& asked) {
  const TargetEntry* entry = find_target(text_in(asked, "target"));
  const std::optional<Set> own = entry && entry->make ? entry->make()->own_set() : std::nullopt;
  return std::string((own ? *own : real()).kind().name());
}

}  // namespace

bool is_recordable(const Set& set) {
  return set.kind().parts().empty()
             ? fits_a_table(set)
             : std::ranges::all_of(set.kind().parts(), fits_a_table, &Part::set);
}

Json asked_json(const Asked& asked) {
  Json object = Json::object();
  Writer writer(object);
  if (!asked.target.kind().is_code()) {
    const std::string name = asked.target.kind().name();
    object["target"] = is_path(name) ? fs::absolute(name).lexically_normal().string() : name;
    asked.target.kind().clone()->describe(writer);
  }
  const Dim dim = asked.target.given_dim();
  if (asked.set) {
    write_set(dim && !asked.set->dim() ? closed(*asked.set, *dim) : *asked.set, asked.target,
              object);
  } else if (dim) {
    object["dim"] = *dim;
  }
  SamplePlan plan = asked.plan;
  plan.describe(writer);
  return object;
}

std::map<std::string, std::string> input_hashes(const Asked& asked) {
  InputFiles files;
  asked.target.kind().clone()->describe(files);
  if (asked.set) {
    add_files(*asked.set, files);
  }
  files.add(asked.plan.start.source);
  if (const std::string name = asked.target.kind().name();
      !asked.target.kind().is_code() && is_path(name)) {
    files.add(name);
  }
  return files.hashes;
}

Set set_from(const Json& asked, std::size_t dim) {
  const auto map = asked.find("map");
  if (map != asked.end() && map->is_array()) {
    return set_from_tables(*map, dim);
  }
  Json table = asked;
  table["type"] = map != asked.end() ? *map : Json(own_set_name(asked));
  for (const auto& [key, value] : asked.items()) {  // older files imply the set by its numbers
    std::string name = key;
    std::ranges::replace(name, '-', '_');
    if (const SetEntry* implied = set_with_field(name); implied && map == asked.end()) {
      table["type"] = std::string(implied->name);
    }
  }
  table["dim"] = dim;
  return set_from_table(table, dim);
}

std::optional<Set> set_as_asked(const Json& asked) {
  const auto map = asked.find("map");
  if (map != asked.end() && map->is_array()) {
    return set_from_tables(*map, Fields::boundless);
  }
  Json table = asked;
  table["type"] = map != asked.end() ? *map : Json(own_set_name(asked));
  Set set = set_from_table(table, Fields::boundless);
  FieldNames fields;
  set.kind().clone()->describe(fields);
  const bool given = map != asked.end() || std::ranges::any_of(fields.names, [&](const auto& name) {
                       return asked.contains(key_of(name));
                     });
  return given ? std::optional(std::move(set)) : std::nullopt;
}

Target target_from(const Json& asked) {
  const std::string name = text_in(asked, "target");
  if (is_path(name)) {
    return library(name, text_in(asked, "target-arguments"));
  }
  const TargetEntry* entry = find_target(name);
  if (!entry || !entry->make) {
    fail(Fault::config, "record", "names a target that there is not", "write the file again");
  }
  std::unique_ptr<TargetKind> kind = entry->make();
  Reader reader(asked, 0);
  kind->describe(reader);
  kind->read();
  return Target(std::shared_ptr<const TargetKind>(std::move(kind)));
}

SamplePlan plan_from(const Json& asked, SamplePlan manner) {
  Reader reader(asked, Fields::boundless);
  manner.describe(reader);
  return manner;
}

}  // namespace tain
