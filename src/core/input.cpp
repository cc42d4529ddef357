#include "core/input.hpp"

#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <utility>

namespace tain {
namespace {

constexpr int milliseconds_between_looks = 100;

std::function<void(const std::string&)>& look_while_waiting() {
  static std::function<void(const std::string&)> look;
  return look;
}

std::atomic<int> readings = 0;

}  // namespace

Reading::Reading() { ++readings; }
Reading::~Reading() { --readings; }
bool Reading::any() { return readings > 0; }

void while_waiting_for_input(std::function<void(const std::string& name)> look) {
  look_while_waiting() = std::move(look);
}

// Without O_NONBLOCK opening a named pipe would wait for whoever writes to it; files take no notice.
Input::Input(const std::filesystem::path& path)
    : Input(std::make_unique<Descriptor>(path, O_RDONLY | O_NONBLOCK), path.string()) {}

Input Input::standard() { return {nullptr, "standard input"}; }

Input::Input(std::unique_ptr<Descriptor> file, std::string name)
    : name_(std::move(name)),
      file_(std::move(file)),
      descriptor_(file_ ? file_->value() : STDIN_FILENO) {
  struct stat status{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    fail_errno(Fault::no_input, name_, errno);
  }
  if (S_ISDIR(status.st_mode)) {
    fail(Fault::no_input, name_, "is a folder", "give the name of a file");
  }
  if (S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    // Advice only: files that take none are read all the same.
    static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
  }
}

void Input::wait() const {
  pollfd waited{.fd = descriptor_, .events = POLLIN, .revents = 0};
  while (::poll(&waited, 1, milliseconds_between_looks) <= 0) {
    if (look_while_waiting()) {
      look_while_waiting()(name_);
    }
  }
}

std::size_t Input::read(std::span<char> into) {
  for (;;) {
    if (!size_) {
      wait();
    }
    const Reading reading;
    const ssize_t count = ::read(descriptor_, into.data(), into.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) {
      fail_errno(Fault::io, name_, errno);
    }
  }
}

void require_plain_input(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    fail_errno(Fault::no_input, path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    fail(Fault::no_input, path.string(),
         S_ISDIR(status.st_mode) ? "is a folder" : "is not a plain file",
         "give the name of a file");
  }
}

}  // namespace tain
