// Helpers for the tests of the command line.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "cli/spelling.hpp"
#include "support/errors.hpp"

namespace tain::cli {

inline RawOptions parse(std::string_view command, std::initializer_list<std::string_view> words) {
  const std::vector<std::string_view> arguments(words);
  return parse_arguments(find_command(command), arguments);
}

/// The message of the Error that `act` throws, which must be of this fault, as the program shows
/// it.
inline std::string message_of(Fault fault, const std::function<void()>& act) {
  std::string message;
  test::message_of(fault, [&] {
    try {
      act();
    } catch (const Error& error) {
      message = flag_message(error);
      throw;
    }
  });
  return message;
}

/// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tain-cli-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tain::cli
