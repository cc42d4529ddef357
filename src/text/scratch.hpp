// Temporary files of an import: a folder with a limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace tain {

class Scratch {
 public:
  /// Makes the folder. `limit`: bytes that its files may take together; none: the most of what is
  /// free now.
  Scratch(std::filesystem::path folder, std::optional<std::uint64_t> limit);
  /// Removes the folder with all that is in it.
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// To be called before so many bytes are written, by any thread. Throws Error (config, of the
  /// field `scratch`) if they are too many.
  void take(std::uint64_t bytes);
  /// So many bytes are there no more.
  void give_back(std::uint64_t bytes) { taken_ -= bytes; }

 private:
  std::filesystem::path folder_;
  std::uint64_t limit_;
  bool given_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace tain
