#include "cli/spelling.hpp"

#include <fmt/format.h>

#include "cli/flags.hpp"

namespace tain::cli {
namespace {

std::map<std::string, std::string>& origins() {
  static std::map<std::string, std::string> by_flag;
  return by_flag;
}

std::string flag_text(const Field& field) {
  if (field.value == "false") {
    return fmt::format("--no-{}", flag_of(field.name));
  }
  const bool plain = field.value.empty() || field.value == "true";
  return fmt::format("--{}{}{}", flag_of(field.name), plain ? "" : " ", plain ? "" : field.value);
}

std::string origin_text(const Field& field) {
  const auto known = origins().find(flag_of(field.name));
  return known == origins().end() ? flag_text(field) : known->second;
}

}  // namespace

void remember_origins(const RawOptions& options) {
  for (const auto& [flag, value] : options.values) {
    origins()[flag] = value.origin;
  }
}

std::string flag_message(const Error& error) { return error.message(flag_text, origin_text); }

}  // namespace tain::cli
