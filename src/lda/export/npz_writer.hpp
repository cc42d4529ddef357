// An .npz file: arrays by name in a ZIP archive, stored as they are.
//
// Format: ZIP with 64-bit sizes (APPNOTE 4.3, ZIP64 fields always), method 0, no times. Arrays are
//   streamed: sizes and CRC-32 are filled in when an array ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lda/model/output_file.hpp"

namespace tain {

class NpzWriter {
 public:
  /// The file must be empty and outlive this.
  explicit NpzWriter(OutputFile& file) : file_(file) {}

  /// Begins the array `name`; `type` as NumPy writes it.
  void begin(std::string_view name, std::string_view type, std::span<const std::uint64_t> shape);
  /// A file that is an array, head and all.
  void begin(std::string_view name);
  void write(std::span<const std::byte> bytes);
  template <class T>
  void write(std::span<const T> values) {
    write(std::as_bytes(values));
  }
  void end();
  /// Writes the directory.
  void finish();

 private:
  struct Entry {
    std::string name;
    std::uint64_t position = 0, bytes = 0;
    std::uint32_t crc = 0;
  };

  OutputFile& file_;
  std::vector<Entry> entries_;
};

}  // namespace tain
