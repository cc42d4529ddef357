// NumPy's array files: magic, version, length of a Python dictionary literal, the dictionary, data
// row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

/// Magic, version 1.0, length, dictionary and padding, so that the array begins at a multiple of 64
/// bytes. `type` as NumPy writes it: "<f4", "<f8".
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape);

/// What stands before the data.
struct NpyHead {
  std::string type;  ///< as NumPy writes it
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;
};

/// Reads the head of a file in C order; `name` is for messages. Throws Error (data).
NpyHead parse_npy_head(std::string_view bytes, std::string_view name);

/// Number of items of `item_bytes` that the shape promises. Throws Error (data) unless exactly
/// these are in the `available` bytes after the head.
std::size_t npy_items(const NpyHead& head, std::size_t available, std::size_t item_bytes,
                      std::string_view name);

}  // namespace tain
