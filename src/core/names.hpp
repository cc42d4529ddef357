// Names that users mistype: find the one they meant.
#pragma once

#include <span>
#include <string_view>

namespace tain {

/// The candidate nearest to `name` by edits (insert, delete, replace, swap neighbours), or empty
/// when none is near: more than a third of the longer name would have to change.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

/// Throws Error (usage): `<what> <name>: unknown; did you mean <nearest>?` or the list of what
/// there is.
[[noreturn]] void fail_unknown(std::string_view what, std::string_view name,
                               std::span<const std::string_view> candidates);

}  // namespace tain
