// From text to numbers: strict, with messages that name the flag.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "core/sizes.hpp"

namespace tain::cli {

enum class Infinite { refused, allowed };

/// A real number, whole text; NaN never. Throws through reject().
double parse_number(std::string_view text, const RawValue& value,
                    Infinite infinite = Infinite::refused);
/// A non-negative integer; "1e6" counts as one.
std::uint64_t parse_count(std::string_view text, const RawValue& value);
bool parse_on_off(std::string_view text, const RawValue& value);
/// Bytes, as bytes_of reads them.
std::uint64_t parse_bytes(std::string_view text, const RawValue& value);

/// Typed view of options: what was given, else the table's default, else nothing.
class Options {
 public:
  Options(const Command& command, const RawOptions& raw) : command_(command), raw_(raw) {}

  bool given(std::string_view name) const { return raw_.values.contains(name); }
  /// Has the command such a flag?
  bool has_flag(std::string_view name) const { return find_flag(command_, name) != nullptr; }
  /// As written, or the default; null if neither exists.
  const RawValue* find(std::string_view name) const;
  /// Like find, for options that must be there.
  const RawValue& value(std::string_view name) const;

  bool on(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;
  std::string choice(std::string_view name) const;
  std::optional<std::uint64_t> count(std::string_view name) const;
  /// A count of at least 1.
  std::uint64_t positive_count(std::string_view name) const;
  /// 0: all cores.
  std::size_t threads() const;
  std::optional<double> number(std::string_view name) const;
  /// Greater than 0.
  std::optional<double> positive_number(std::string_view name) const;
  /// Numbers of a list or of the file it names.
  std::optional<std::vector<double>> numbers(std::string_view name,
                                             Infinite infinite = Infinite::refused) const;

 private:
  const Command& command_;
  const RawOptions& raw_;
  mutable RawTable defaults_;  // built on demand, so that find() can hand out references
};

/// Numbers of a table entry that may be "@FILE".
std::vector<double> parse_numbers(const RawValue& value, Infinite infinite = Infinite::refused);

}  // namespace tain::cli
