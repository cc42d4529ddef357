// Helpers for the tests of the command line.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "cli/spelling.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

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

/// A folder of its own, with files that are named.
class TemporaryFolder : public test::Folder {
 public:
  TemporaryFolder() : test::Folder("cli") {}
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = path() / name;
    std::ofstream(file) << content;
    return file;
  }
};

}  // namespace tain::cli
