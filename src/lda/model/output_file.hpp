// A file written from front to back, except for what is known at the end only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tain {

/// Failures are Error (cannot_create, io) that name the file.
class OutputFile {
 public:
  /// `name` is for messages: a temporary file stands for the one it becomes.
  OutputFile(const std::filesystem::path& path, std::string name);

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Replaces bytes that were written before.
  void write_at(std::uint64_t position, std::string_view text);
  std::uint64_t size() const { return size_; }
  /// Passes everything on; nothing may be written after it.
  void finish();

 private:
  [[noreturn]] void failed() const;

  std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t size_ = 0;
};

}  // namespace tain
