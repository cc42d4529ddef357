#include "core/file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <vector>

#include "core/archive.hpp"
#include "core/descriptor.hpp"
#include "core/failpoint.hpp"
#include "core/input.hpp"
#include "core/sizes.hpp"

namespace tain {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void require_folder(const fs::path& path) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    fail(Fault::cannot_create, path.string(),
         fmt::format("folder {} does not exist", folder.string()), "create it first");
  }
  if (!fs::is_directory(status)) {
    fail(Fault::cannot_create, path.string(), fmt::format("{} is no folder", folder.string()),
         "choose another place");
  }
}

void require_writable_folder(const fs::path& path) {
  require_folder(path);
  if (::access(folder_of(path).c_str(), W_OK | X_OK) != 0) {
    fail_errno(Fault::cannot_create, path, errno);
  }
}

// Beside the final file, since rename is atomic only within one file system; process and counter
// keep concurrent writers apart.
constexpr std::string_view temporary_ending = ".tmp";
fs::path temporary_name(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  return folder_of(path) / fmt::format(".{}.{}.{}{}", path.filename().string(), ::getpid(),
                                       counter.fetch_add(1), temporary_ending);
}

// Removes the temporary file unless it was renamed away.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void sync_path(const fs::path& path, int flags, const fs::path& reported) {
  const Descriptor file(path, flags);
  // Some file systems cannot sync a folder (EINVAL): the rename is then as durable as they offer.
  if (!file.open() || (::fsync(file.value()) != 0 && errno != EINVAL)) {
    fail_errno(Fault::io, reported, errno);
  }
}

// Renaming onto a device or a pipe would put a file in its place.
void require_plain(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) {
    fail(Fault::cannot_create, path.string(), "is a folder", "give the name of a file");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(Fault::cannot_create, path.string(), "is a device or a pipe, not a file",
         "give the name of a file");
  }
}

void write_bytes(const fs::path& path, std::string_view bytes, const fs::path& reported) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.open()) {
    fail_errno(Fault::cannot_create, reported, errno);
  }
  const std::size_t half = bytes.size() / 2;
  bool begun = false;
  while (!bytes.empty()) {
    // In two parts, with a moment in between at which the file is not whole.
    const ssize_t written = ::write(file.value(), bytes.data(), begun ? bytes.size() : half);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      fail_errno(Fault::io, reported, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    if (!begun) {
      failpoint(reported, "writing");
      begun = true;
    }
  }
}

}  // namespace

void write_atomically(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  require_folder(path);
  require_plain(path);
  const TemporaryFile temporary(temporary_name(path));
  write(temporary.path());
  failpoint(path, "written");
  sync_path(temporary.path(), O_RDONLY, path);
  if (::rename(temporary.path().c_str(), path.c_str()) != 0) {
    fail_errno(Fault::cannot_create, path, errno);
  }
  sync_path(folder_of(path), O_RDONLY | O_DIRECTORY, path);
  failpoint(path, "renamed");
}

void write_atomically(const fs::path& path, std::string_view bytes) {
  write_atomically(path, [&](const fs::path& temporary) { write_bytes(temporary, bytes, path); });
}

void remove_leftovers(const fs::path& path) {
  const std::string prefix = fmt::format(".{}.", path.filename().string());
  std::error_code ignored;  // they are in nobody's way
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator at(folder_of(path), ignored), end; at != end; at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    // As temporary_name makes them: process and counter.
    if (name.starts_with(prefix) && name.ends_with(temporary_ending) &&
        name.size() > prefix.size() + temporary_ending.size() &&
        name.find_first_not_of("0123456789.", prefix.size()) ==
            name.size() - temporary_ending.size() + 1) {
      leftovers.push_back(at->path());
    }
  }
  for (const fs::path& leftover : leftovers) {
    fs::remove(leftover, ignored);
  }
}

Phrase output_place(const Field& option, const fs::path& path) {
  return Phrase(option, " " + path.string());
}

void require_parent(const Field& option, const fs::path& path) {
  if (path.empty()) {
    fail(Fault::cannot_create, option, "is empty", "give a name");
  }
  try {
    require_writable_folder(path);
  } catch (const Error& error) {
    throw error.at(output_place(option, path));
  }
}

void require_creatable(const Field& option, const fs::path& path, Overwrite overwrite) {
  require_parent(option, path);
  try {
    require_plain(path);
  } catch (const Error& error) {
    throw error.at(output_place(option, path));
  }
  std::error_code error;
  if (fs::exists(path, error) && overwrite == Overwrite::no) {
    fail(Fault::cannot_create, output_place(option, path), "exists",
         Phrase("give ", Field{"overwrite", "true"}, " to overwrite it"));
  }
}

fs::path folder_path(fs::path folder) {
  return folder.has_filename() ? std::move(folder) : folder.parent_path();
}

void fail_stopped(const std::filesystem::path& output) {
  fail(Fault::interrupted, "stopped", fmt::format("nothing was written to {}", output.string()));
}

namespace {

// Pipes and /proc files have no size: read until the end, whatever was announced.
void read_pieces(Input& input, const std::function<void(std::string_view)>& take) {
  std::vector<char> buffer(std::size_t{1} << 16);
  while (const std::size_t count = input.read(buffer)) {
    take({buffer.data(), count});
  }
}

}  // namespace

std::string read_file(const fs::path& path, std::uint64_t most_bytes) {
  Input input(path);
  // What has no size may have no end: /dev/zero.
  const std::uint64_t most = input.size() ? most_bytes : std::min(most_bytes, most_piped_bytes);
  const auto refuse = [&] {
    fail(Fault::data, path.string(),
         fmt::format("is larger than {}", format_bytes(static_cast<double>(most))),
         "give the file that was meant");
  };
  if (input.size().value_or(0) > most) {
    refuse();
  }
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(input.size().value_or(0)));
  read_pieces(input, [&](std::string_view piece) {
    if (piece.size() > most - bytes.size()) {
      refuse();
    }
    bytes += piece;
  });
  return bytes;
}

std::string file_hash(const fs::path& path) {
  Input input(path);
  std::uint64_t hash = fingerprint({});
  read_pieces(input, [&](std::string_view piece) { hash = fingerprint(piece, hash); });
  return fmt::format("{:016x}", hash);
}

}  // namespace tain
