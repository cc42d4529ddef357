// Input as it is stored: a file, a named pipe, a device or standard input, from first to last.
//
// Laws: waiting can be called off. A pipe, a terminal or a socket that gives nothing, and a named
//   pipe that nobody has opened to write, keep a reader until what `while_waiting_for_input` was
//   given throws: it is called about ten times a second for as long as nothing comes.
//   A file on a disk or a server that hangs keeps a reader where no signal's handler runs: only the
//   end of the process frees it, and Reading::any() says that this is where it may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/descriptor.hpp"

namespace tain {

class Input {
 public:
  /// Throws Error (no_input) for what cannot be opened, and for folders.
  explicit Input(const std::filesystem::path& path);
  static Input standard();

  /// Fills `into` from its front and returns how many bytes came: 0 at the end only.
  std::size_t read(std::span<char> into);
  /// For messages: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Of a plain file.
  std::optional<std::uint64_t> size() const { return size_; }

 private:
  Input(std::unique_ptr<Descriptor> file, std::string name);
  void wait() const;

  std::string name_;
  std::unique_ptr<Descriptor> file_;  // none for standard input, which is not ours to close
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
};

/// For the whole process, before anything is read: what is called with the name of the input that
/// keeps a reader waiting, and throws to end that.
void while_waiting_for_input(std::function<void(const std::string& name)> look);

/// While one lives, its thread reads from a file system.
class Reading {
 public:
  Reading();
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  /// Is there one, in any thread?
  static bool any();
};

/// Throws Error (no_input) unless `path` is a plain file: for libraries that would wait for ever to
/// open a pipe.
void require_plain_input(const std::filesystem::path& path);

}  // namespace tain
