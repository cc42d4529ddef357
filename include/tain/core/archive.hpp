// Saving and restoring state with one function for both directions: what is written is what is
// read.
//
//   void archive(Archive& a) { a.field(count_); a.field(sum_); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tain {

/// A byte string with a checksum at its end. Throws Error (data) when reading past the end, when a
/// vector's stored size differs from the one expected, or when the checksum is wrong.
class Archive {
 public:
  /// Writes to an empty archive.
  Archive() = default;
  /// Reads `bytes` of the file `name` (for messages), after checking their checksum.
  Archive(std::string bytes, std::string name);

  bool reading() const { return reading_; }
  void field(std::uint64_t& value) { raw(&value, sizeof value); }
  void field(double& value) { raw(&value, sizeof value); }
  void field(std::span<double> values) { raw(values.data(), values.size_bytes()); }
  void field(std::span<float> values) { raw(values.data(), values.size_bytes()); }
  void field(std::span<std::uint16_t> values) { raw(values.data(), values.size_bytes()); }
  /// Size and elements; reading resizes to at most what is left in the archive.
  void field(std::vector<double>& values);
  void field(std::string& text);

  /// The bytes written, with their checksum; ends writing.
  std::string finish();
  /// Throws unless everything was read.
  void expect_end() const;

 private:
  void raw(void* data, std::size_t bytes);
  [[noreturn]] void damaged(std::string_view problem) const;

  bool reading_ = false;
  std::string bytes_, name_;
  std::size_t position_ = 0;
};

/// FNV-1a, 64 bits.
std::uint64_t fingerprint(std::string_view bytes);

}  // namespace tain
