// What fuzz targets have in common: laws, errors that are allowed, sources and files in memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tain/core/error.hpp"
#include "text/bytes.hpp"

namespace tain::fuzz {

inline void require(bool condition, const char* law) {
  if (!condition) {
    throw std::logic_error(law);
  }
}

/// Bad bytes are Error (data) that names the file; every other exception is a finding.
template <class F>
void allow_data_errors(F read, std::string_view file = "fuzz") {
  try {
    read();
  } catch (const Error& error) {
    require(error.fault() == Fault::data, "a bad file is a data error");
    require(std::string_view(error.what()).starts_with(file), "messages name the file");
  }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Gives a few bytes at a time.
class SmallPieces final : public ByteSource {
 public:
  SmallPieces(std::string_view bytes, std::size_t piece) : bytes_(bytes, "fuzz"), piece_(piece) {}
  std::size_t read(std::span<char> into) override {
    return bytes_.read(into.first(std::min(into.size(), piece_)));
  }
  const std::string& name() const override { return bytes_.name(); }
  std::uint64_t consumed() const override { return bytes_.consumed(); }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  MemoryBytes bytes_;
  std::size_t piece_;
};

inline void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    require(written > 0, "files in memory can be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A file that lives in memory and goes with the object, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "memory has files");
    write_all(descriptor_, bytes);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// An empty folder for this process, in memory where there is such a place.
inline const std::filesystem::path& memory_folder() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      const std::filesystem::path memory = "/dev/shm";
      path = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
             ("tain_fuzz_" + std::to_string(::getpid()));
      std::filesystem::remove_all(path);
      std::filesystem::create_directories(path);
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

/// Replaces the file.
inline void put_file(const std::filesystem::path& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  require(descriptor >= 0, "files in memory can be made");
  write_all(descriptor, bytes);
  ::close(descriptor);
}

}  // namespace tain::fuzz
