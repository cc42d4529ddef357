// An open file that closes itself, and errors of the operating system as sentences.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "tain/core/error.hpp"

namespace tain {

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) {
      ::close(value_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool open() const { return value_ >= 0; }
  int value() const { return value_; }

 private:
  int value_;
};

/// Remedy for an errno where there is an obvious one.
inline std::string_view remedy_for(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or write elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
      return "check the permissions";
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return "check the path";
    default:
      return {};
  }
}

/// Throws with errno's text.
[[noreturn]] inline void fail_errno(Fault fault, const std::filesystem::path& path, int error) {
  fail(fault, path.string(), std::strerror(error), remedy_for(error));
}

/// What the standard library says of a file that it cannot look at: a name that is too long, a
/// folder that nobody may enter.
inline Error error_of(const std::filesystem::filesystem_error& error) {
  return {Fault::io, error.path1().string(), error.code().message(),
          remedy_for(error.code().value())};
}

}  // namespace tain
