// Options as they were written: text, with the place each came from. Nothing here is validated
// beyond its name; SampleRequest is what remains after validation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/flags.hpp"
#include "tain/core/error.hpp"

namespace tain::cli {

struct RawValue {
  std::vector<std::string> parts;  ///< one element unless the flag takes a list
  std::string origin;              ///< "--alpha" or "problem.toml:3:1: alpha", for messages
  Fault fault = Fault::usage;      ///< of a wrong value: usage for a flag, config in a file
  std::size_t columns = 0;         ///< matrices: parts are row-major with this many columns
};

/// Options of one table by name.
using RawTable = std::map<std::string, RawValue, std::less<>>;

struct RawOptions {
  RawTable values;
  std::vector<std::string> arguments;       ///< positional
  std::span<const std::string_view> words;  ///< the whole command line but for the program
  std::vector<RawTable> sets;  ///< [[set]] tables of a problem file; several: a product
  std::map<std::string, std::string> inputs;  ///< manifests: hash of each input file, by path
  std::vector<std::string> hints;             ///< on old names, a line each
};

/// The line about a name that is accepted for one more version.
std::string old_name(std::string_view where, std::string_view now);

/// The line about the former switch of a check that is on by itself; accepted for one more version.
std::string always_checked(std::string_view where);

/// Sets by the names they have today, with hints where another was given.
void rename_sets(RawOptions& options);

/// Splits at commas. Throws Error with value's origin for an empty element.
std::vector<std::string> split_list(std::string_view text, const RawValue& value);

/// Reads `--name value`, `--name=value`, `-o value`, `-ovalue`, `--` and positional arguments. The
/// last of several scalars holds; lists grow. Throws Error (usage), with the nearest name.
RawOptions parse_arguments(const Command& command, std::span<const std::string_view> arguments);

/// Options of `base` with those of `above` in their place where both have them.
RawOptions merge(RawOptions base, RawOptions above);

/// Throws Error of the value's own fault.
[[noreturn]] void reject(const RawValue& value, std::string_view problem, std::string_view remedy);

}  // namespace tain::cli
