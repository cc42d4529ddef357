#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/number_file.hpp"
#include "core/parallel.hpp"
#include "core/sizes.hpp"

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
  const std::optional<std::uint64_t> bytes = bytes_of(text);
  if (!bytes) {
    reject(value, fmt::format("'{}' is not a size", text), "give a size such as 500M or 4G");
  }
  return *bytes;
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
         fmt::format("give --{} {}", name, flag ? metavar(*flag) : ""));
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

std::size_t Options::threads() const {
  const RawValue& found = value("threads");
  const std::uint64_t count = parse_count(found.parts.front(), found);
  if (count > most_threads) {
    reject(found, fmt::format("is more than {}", grouped(most_threads)), "give a smaller number");
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

}  // namespace tain::cli
