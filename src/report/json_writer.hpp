// JSON as text, for the data of widgets: commas and quotes in one place.
//
//   JsonWriter json;
//   json.open('{').key("name").text("x[1]").key("values").packed(values).close('}');
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tain::report {

/// Numbers have six significant digits, which is more than plots show; NaN and infinities are null.
class JsonWriter {
 public:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& number(double value);
  JsonWriter& count(std::uint64_t value);
  JsonWriter& truth(bool value);
  JsonWriter& null();
  /// A list of numbers.
  JsonWriter& numbers(std::span<const double> values);
  /// Long lists: little-endian floats in base64, 7 digits at 5 1/3 characters each.
  JsonWriter& packed(std::span<const double> values);
  /// Something that is JSON already.
  JsonWriter& raw(std::string_view json);

  std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  bool needs_comma_ = false;
};

}  // namespace tain::report
