#include "values.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "tain/core/archive.hpp"
#include "tain/core/file.hpp"
#include "tain/targets/numbers.hpp"

namespace tain::cli {
namespace {

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

std::optional<double> to_double(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return number;
}

nlohmann::ordered_json number_json(double number) {
  if (std::isinf(number)) {  // JSON has no infinity
    return number > 0 ? "inf" : "-inf";
  }
  return number;
}

nlohmann::ordered_json value_json(const Flag& flag, const RawValue& value) {
  switch (flag.kind) {
    case Kind::on_off:
      return parse_on_off(value.parts.front(), value);
    case Kind::count:
      return parse_count(value.parts.front(), value);
    case Kind::number:
      return number_json(parse_number(value.parts.front(), value, Infinite::allowed));
    case Kind::numbers: {
      if (value.parts.size() == 1 && value.parts.front().starts_with('@')) {
        return "@" + std::filesystem::absolute(value.parts.front().substr(1)).string();
      }
      auto list = nlohmann::ordered_json::array();
      for (const std::string& part : value.parts) {
        list.push_back(number_json(parse_number(part, value, Infinite::allowed)));
      }
      return list;
    }
    case Kind::words:
      return value.parts.size() == 1 ? nlohmann::ordered_json(value.parts.front())
                                     : nlohmann::ordered_json(value.parts);
    case Kind::input_file:
    case Kind::output_file:
      return std::filesystem::absolute(value.parts.front()).string();
    case Kind::word:
    case Kind::choice:
      break;
  }
  return value.parts.front();
}

/// Matrices keep their rows; lists of numbers their brackets.
nlohmann::ordered_json table_json(const RawTable& table) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : table) {
    auto list = nlohmann::ordered_json::array();
    for (const std::string& part : value.parts) {
      const std::optional<double> number = to_double(part);
      list.push_back(number ? number_json(*number) : nlohmann::ordered_json(part));
    }
    if (value.columns > 0) {
      auto rows = nlohmann::ordered_json::array();
      for (std::size_t i = 0; i < list.size(); i += value.columns) {
        rows.emplace_back(std::vector<nlohmann::ordered_json>(
            list.begin() + static_cast<std::ptrdiff_t>(i),
            list.begin() + static_cast<std::ptrdiff_t>(i + value.columns)));
      }
      object[name] = std::move(rows);
    } else {
      object[name] = list.size() == 1 ? list.front() : list;
    }
  }
  return object;
}

}  // namespace

double parse_number(std::string_view text, const RawValue& value, Infinite infinite) {
  const std::optional<double> number = to_double(text);
  if (!number || std::isnan(*number)) {
    reject(value, fmt::format("'{}' is not a number", text), "give a number such as 0.5");
  }
  if (infinite == Infinite::refused && std::isinf(*number)) {
    reject(value, fmt::format("{} is infinite", text), "give a finite number");
  }
  return *number;
}

std::uint64_t parse_count(std::string_view text, const RawValue& value) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end == text.data() + text.size() && !text.empty()) {
    return count;
  }
  const std::optional<double> number = to_double(text);
  if (!number || *number < 0 || *number > largest_exact_integer || *number != std::floor(*number)) {
    reject(value, fmt::format("'{}' is not a whole number in range", text),
           "give a whole number such as 1000");
  }
  return static_cast<std::uint64_t>(*number);
}

bool parse_on_off(std::string_view text, const RawValue& value) {
  if (text == "true" || text == "false") {
    return text == "true";
  }
  reject(value, fmt::format("'{}' is neither true nor false", text), "give true or false");
}

std::uint64_t parse_bytes(std::string_view text, const RawValue& value) {
  constexpr std::string_view units = "kMGT";
  std::string_view digits = text;
  for (const std::string_view ending : {"iB", "B"}) {
    if (digits.ends_with(ending)) {
      digits.remove_suffix(ending.size());
      break;
    }
  }
  double factor = 1;
  if (!digits.empty()) {
    const char unit = digits.back() == 'K' ? 'k' : digits.back();
    if (const std::size_t power = units.find(unit); power != std::string_view::npos) {
      factor = std::pow(1024.0, static_cast<double>(power + 1));
      digits.remove_suffix(1);
    }
  }
  const std::optional<double> number = to_double(digits);
  if (!number || !(*number > 0) || !(*number * factor < 9e18)) {
    reject(value, fmt::format("'{}' is not a size", text), "give a size such as 500M or 4G");
  }
  return static_cast<std::uint64_t>(*number * factor);
}

std::string format_bytes(double bytes) {
  constexpr std::array<std::string_view, 7> units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

const RawValue* Options::find(std::string_view name) const {
  if (const auto found = raw_.values.find(name); found != raw_.values.end()) {
    return &found->second;
  }
  const Flag* flag = find_flag(command_, name);
  TAIN_EXPECTS(flag != nullptr, "an option is read that the flag table lacks");
  if (!flag || flag->fallback.empty()) {
    return nullptr;
  }
  RawValue& value = defaults_[std::string(name)];
  value.origin = fmt::format("--{}", name);
  const bool list = flag->kind == Kind::numbers || flag->kind == Kind::words;
  value.parts = list ? split_list(flag->fallback, value)
                     : std::vector<std::string>{std::string(flag->fallback)};
  return &value;
}

const RawValue& Options::value(std::string_view name) const {
  const RawValue* found = find(name);
  if (!found) {
    const Flag* flag = find_flag(command_, name);
    fail(Fault::usage, fmt::format("--{}", name), "is missing",
         fmt::format("give --{} {}", name, flag ? flag->metavar : ""));
  }
  return *found;
}

bool Options::on(std::string_view name) const {
  const RawValue* found = find(name);
  return found && parse_on_off(found->parts.front(), *found);
}

std::optional<std::string> Options::text(std::string_view name) const {
  const RawValue* found = find(name);
  return found ? std::optional(found->parts.front()) : std::nullopt;
}

std::string Options::choice(std::string_view name) const {
  const RawValue& chosen = value(name);
  const std::vector<std::string_view> words = choices(*find_flag(command_, name));
  const std::string& word = chosen.parts.front();
  if (std::ranges::find(words, word) == words.end()) {
    reject(chosen, fmt::format("unknown value '{}'", word),
           suggestion(word, words, fmt::format("give one of {}", fmt::join(words, ", "))));
  }
  return word;
}

std::optional<std::uint64_t> Options::count(std::string_view name) const {
  const RawValue* found = find(name);
  return found ? std::optional(parse_count(found->parts.front(), *found)) : std::nullopt;
}

std::uint64_t Options::positive_count(std::string_view name) const {
  const RawValue& found = value(name);
  const std::uint64_t count = parse_count(found.parts.front(), found);
  if (count == 0) {
    reject(found, "is 0", "give at least 1");
  }
  return count;
}

std::optional<double> Options::number(std::string_view name) const {
  const RawValue* found = find(name);
  return found ? std::optional(parse_number(found->parts.front(), *found)) : std::nullopt;
}

std::optional<double> Options::positive_number(std::string_view name) const {
  const std::optional<double> number = this->number(name);
  if (number && !(*number > 0)) {
    reject(*find(name), fmt::format("{} is not positive", *number), "give a number above 0");
  }
  return number;
}

std::optional<std::vector<double>> Options::numbers(std::string_view name,
                                                    Infinite infinite) const {
  const RawValue* found = find(name);
  return found ? std::optional(parse_numbers(*found, infinite)) : std::nullopt;
}

std::vector<double> parse_numbers(const RawValue& value, Infinite infinite) {
  if (value.parts.size() == 1 && value.parts.front().starts_with('@')) {
    std::vector<double> listed = read_numbers(value.parts.front().substr(1));
    if (listed.empty()) {
      fail(Fault::data, value.parts.front().substr(1), "holds no numbers", "give one per line");
    }
    for (std::size_t i = 0; infinite == Infinite::refused && i < listed.size(); ++i) {
      if (!std::isfinite(listed[i])) {
        fail(Fault::data, value.parts.front().substr(1),
             fmt::format("number {} is not finite", i + 1), "give finite numbers");
      }
    }
    return listed;
  }
  std::vector<double> numbers;
  for (const std::string& part : value.parts) {
    numbers.push_back(parse_number(part, value, infinite));
  }
  return numbers;
}

nlohmann::ordered_json options_json(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  auto object = nlohmann::ordered_json::object();
  for (const Flag& flag : command.flags) {
    if (flag.name == "map" && !raw.maps.empty()) {
      object["map"] = nlohmann::ordered_json::array();
      for (const RawTable& table : raw.maps) {
        object["map"].push_back(table_json(table));
      }
      continue;
    }
    // What describes the problem counts only where it was given: a default that belongs to another
    // target or set would contradict the chosen one when read back.
    const bool describes = flag.group == "Problem" || flag.group == "Domain";
    const RawValue* value = options.find(flag.name);
    if (value && flag.name != "help" && (!describes || options.given(flag.name))) {
      object[std::string(flag.name)] = value_json(flag, *value);
    }
  }
  return object;
}

std::string file_hash(const std::filesystem::path& path) {
  return fmt::format("{:016x}", fingerprint(read_file(path)));
}

std::map<std::string, std::string> input_hashes(const Command& command, const RawOptions& raw) {
  std::map<std::string, std::string> hashes;
  const auto add = [&](const std::string& path) {
    hashes[std::filesystem::absolute(path).string()] = file_hash(path);
  };
  for (const auto& [name, value] : raw.values) {
    const Flag* flag = find_flag(command, name);
    const std::string& text = value.parts.front();
    if (flag->kind == Kind::input_file) {
      add(text);
    } else if (flag->kind == Kind::numbers && text.starts_with('@')) {
      add(text.substr(1));
    } else if (name == "target" && text.find('/') != std::string::npos) {
      add(text);
    }
  }
  return hashes;
}

}  // namespace tain::cli
