// Sizes of memory, files and collections, as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tain {

/// Bytes: "500M", "4G", "1.5GiB", "1000"; none if the text is no size.
std::optional<std::uint64_t> bytes_of(std::string_view text);
/// Bytes as people read them: "1.5 GB".
std::string format_bytes(double bytes);
/// 2000000 as "2,000,000".
std::string grouped(std::uint64_t count);
/// "1 step", "2,000 steps".
std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace tain
