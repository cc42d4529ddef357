// A folder for a test.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace tain::test {

/// An empty folder that nobody else has, gone with the object.
class Folder {
 public:
  explicit Folder(const std::string& name) : Folder(name, std::filesystem::temp_directory_path()) {}
  /// In memory, where there is such a place: what writes hundreds of files does not wait for the
  /// disk to sync them.
  static Folder in_memory(const std::string& name) {
    const std::filesystem::path memory = "/dev/shm";
    const bool there = ::access(memory.c_str(), W_OK | X_OK) == 0;
    return {name, there ? memory : std::filesystem::temp_directory_path()};
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  Folder(const std::string& name, const std::filesystem::path& place) {
    std::string path = (place / ("tain-" + name + "-XXXXXX")).string();
    if (::mkdtemp(path.data()) == nullptr) {
      throw std::runtime_error("cannot make the folder " + path);
    }
    path_ = path;
  }
  std::filesystem::path path_;
};

}  // namespace tain::test
