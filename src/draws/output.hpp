// A file written front to back through one large buffer; every fault names the file.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tain::draws {

class Output {
 public:
  explicit Output(const std::filesystem::path& path);

  void text(std::string_view text);
  /// Shortest decimal that reads back as the same bits; every NaN as "nan".
  void number(double value);
  void integer(std::uint64_t value);
  /// Past the buffer: for long arrays.
  void raw(std::span<const double> values);
  /// Flushes and closes; without it the file is incomplete.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();
  void write(const void* data, std::size_t bytes);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
};

}  // namespace tain::draws
