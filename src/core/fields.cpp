#include "core/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.hpp"
#include "core/sizes.hpp"

namespace tain {
namespace {

void require_within(const Fields& fields, std::string_view name, std::uint64_t value,
                    std::uint64_t least, std::uint64_t most) {
  if (value < least) {
    fields.refuse(name, fmt::format("is {}", value), fmt::format("give at least {}", least));
  }
  if (value > most) {
    fields.refuse(name, fmt::format("is more than {}", grouped(most)), "give a smaller number");
  }
}

}  // namespace

void Fields::matrix(std::string_view name, Numbers& value) {
  std::optional<std::filesystem::path> source =
      value.source.empty() ? std::nullopt : std::optional(value.source);
  file(name, source);
  value.source = source.value_or("");
}

void Fields::word(std::string_view name, std::span<const std::string_view> words,
                  std::optional<std::string>& value) {
  std::size_t number = words.size();
  if (value) {
    number = static_cast<std::size_t>(std::ranges::find(words, *value) - words.begin());
    if (number == words.size()) {
      const std::string_view near = nearest_name(*value, words);
      refuse(name, fmt::format("unknown value '{}'", *value),
             near.empty() ? fmt::format("give one of {}", fmt::join(words, ", "))
                          : fmt::format("did you mean '{}'?", near));
    }
  }
  choice(name, words, number);
  if (number < words.size()) {
    value = words[number];
  }
}

void Fields::count(std::string_view name, std::optional<std::uint64_t>& value, std::uint64_t least,
                   std::uint64_t most) {
  field(name, value);
  if (value) {
    require_within(*this, name, *value, least, most);
  }
}

void Fields::count(std::string_view name, std::uint64_t& value, std::uint64_t least,
                   std::uint64_t most) {
  field(name, value);
  require_within(*this, name, value, least, most);
}

void Fields::count(std::string_view name, std::uint32_t& value, std::uint64_t least,
                   std::uint32_t most) {
  std::uint64_t wide = value;
  count(name, wide, least, most);
  value = static_cast<std::uint32_t>(wide);
}

void Fields::positive(std::string_view name, std::optional<double>& value) {
  field(name, value);
  if (value && !(*value > 0)) {
    refuse(name, fmt::format("{} is not positive", *value), "give a number above 0");
  }
}

void Fields::positive(std::string_view name, double& value) {
  std::optional<double> number = value;
  positive(name, number);
  value = *number;
}

void Fields::bytes(std::string_view name, std::optional<std::uint64_t>& value) {
  std::optional<std::string> text = value ? std::optional(std::to_string(*value)) : std::nullopt;
  field(name, text);
  if (text) {
    value = bytes_of(*text);
    if (!value) {
      refuse(name, fmt::format("'{}' is not a size", *text), "give a size such as 500M or 4G");
    }
  }
}

void Fields::refuse(std::string_view name, std::string_view problem,
                    std::string_view remedy) const {
  fail(Fault::config, Field{std::string(name)}, problem, remedy);
}

}  // namespace tain
