// A folder for a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace tain::test {

/// An empty folder that nobody else has, gone with the object.
class Folder {
 public:
  explicit Folder(const std::string& name) {
    std::string place =
        (std::filesystem::temp_directory_path() / ("tain-" + name + "-XXXXXX")).string();
    if (::mkdtemp(place.data()) == nullptr) {
      throw std::runtime_error("cannot make the folder " + place);
    }
    path_ = place;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tain::test
