// The head of NumPy's array files; the array's bytes follow, row by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tain {

/// Magic, version 1.0, length, dictionary and padding, so that the array begins at a multiple of 64
/// bytes. `type` as NumPy writes it: "<f4", "<f8".
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape);

}  // namespace tain
