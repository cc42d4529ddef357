#include "cli/fill.hpp"

#include <algorithm>
#include <cctype>

namespace tain::cli {
namespace {

/// What `read` makes of the option, if it was given.
template <class Value, class Read>
void take(const Options& options, std::string_view name, Value& value, const Read& read) {
  if (const std::string flag = flag_of(name); options.has_flag(flag) && options.given(flag)) {
    value = read(flag);
  }
}

}  // namespace

void OptionFields::field(std::string_view name, Numbers& value) {
  take(options_, name, value, [&](const std::string& flag) {
    const std::string& first = options_.value(flag).parts.front();
    Numbers numbers(*options_.numbers(flag, infinite_));
    const bool file = first.starts_with('@');
    numbers.one_for_all = !file && numbers.values.size() == 1;
    numbers.source = file ? first.substr(1) : "";
    return numbers;
  });
}

void OptionFields::field(std::string_view name, std::optional<bool>& value) {
  take(options_, name, value, [&](const std::string& flag) { return options_.on(flag); });
  // What is on by itself has a flag that switches it off.
  take(options_, "no_" + std::string(name), value,
       [&](const std::string& flag) { return !options_.on(flag); });
}

void OptionFields::field(std::string_view name, std::optional<std::uint64_t>& value) {
  take(options_, name, value, [&](const std::string& flag) { return options_.count(flag); });
}

void OptionFields::field(std::string_view name, std::optional<double>& value) {
  take(options_, name, value, [&](const std::string& flag) { return options_.number(flag); });
}

void OptionFields::field(std::string_view name, std::optional<std::string>& value) {
  take(options_, name, value, [&](const std::string& flag) { return options_.text(flag); });
}

void OptionFields::field(std::string_view name, std::vector<std::string>& value) {
  take(options_, name, value, [&](const std::string& flag) { return options_.value(flag).parts; });
}

void OptionFields::field(std::string_view name, WordOrNumbers& value) {
  take(options_, name, value, [&](const std::string& flag) {
    const RawValue& raw = options_.value(flag);
    const std::string& first = raw.parts.front();
    const bool word = raw.parts.size() == 1 && std::isalpha(static_cast<unsigned char>(first[0]));
    return word ? WordOrNumbers{.word = first} : WordOrNumbers{.numbers = parse_numbers(raw)};
  });
}

void OptionFields::file(std::string_view name, std::optional<std::filesystem::path>& value) {
  take(options_, name, value, [&](const std::string& flag) { return *options_.text(flag); });
}

void OptionFields::matrix(std::string_view name, Numbers& value) {
  take(options_, name, value, [&](const std::string& flag) {
    const RawValue& raw = options_.value(flag);
    return raw.columns > 0 ? Numbers(parse_numbers(raw)) : Numbers::file(raw.parts.front());
  });
}

void OptionFields::choice(std::string_view name, std::span<const std::string_view> words,
                          std::size_t& value) {
  take(options_, name, value, [&](const std::string& flag) {
    const auto found = std::ranges::find(words, options_.choice(flag));
    TAIN_EXPECTS(found != words.end(), "the flag table has a word that the plan lacks");
    return static_cast<std::size_t>(found - words.begin());
  });
}

void OptionFields::refuse(std::string_view name, std::string_view problem,
                          std::string_view remedy) const {
  if (const RawValue* value = options_.find(flag_of(name))) {
    reject(*value, problem, remedy);
  }
  Fields::refuse(name, problem, remedy);
}

}  // namespace tain::cli
