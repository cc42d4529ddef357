#include "core/file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "core/archive.hpp"
#include "core/descriptor.hpp"
#include "core/draft.hpp"
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
  if (!fs::status_known(status)) {
    fail_errno(Fault::cannot_create, path, error.value());
  }
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

void sync_path(const fs::path& path, int flags, const fs::path& reported) {
  const Descriptor file(path, flags);
  // Some file systems cannot sync a folder (EINVAL): the rename is then as durable as they offer.
  if (!file.open() || (::fsync(file.value()) != 0 && errno != EINVAL)) {
    fail_errno(Fault::io, reported, errno);
  }
}

// A file system says no to a new name for what is mounted at a file, but only after the work.
bool is_mount_point(const fs::path& path) {
  struct statx status{};
  return ::statx(AT_FDCWD, path.c_str(), AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
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
  if (fs::exists(status) && is_mount_point(path)) {
    fail(Fault::cannot_create, path.string(), "is mounted by itself and cannot be replaced",
         "mount the folder that it is in, or give another name");
  }
}

/// The place that a file is written to: throws unless there is a folder for it, and nothing else.
fs::path place_of(const fs::path& path) {
  require_plain(path);  // a link to a pipe leads nowhere
  fs::path place = link_target(path);
  require_folder(place);
  require_plain(place);
  return place;
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
  const fs::path place = place_of(path);
  Draft draft(place);
  try {
    write(draft.path());
  } catch (const Error& error) {
    // Who writes names the draft, of which nobody knows.
    const bool about_draft =
        std::string_view(error.what()).starts_with(draft.path().string() + ": ");
    throw about_draft ? error.at(path.string()) : error;
  }
  failpoint(path, "written");
  sync_path(draft.path(), O_RDONLY, path);
  draft.move_to_place();
  sync_folder(folder_of(place));
  failpoint(path, "renamed");
}

void write_atomically(const fs::path& path, std::string_view bytes) {
  write_atomically(path, [&](const fs::path& draft) { write_bytes(draft, bytes, path); });
}

void remove_leftovers(const fs::path& path) {
  try {
    const Draft leftover(link_target(path));
  } catch (const Error&) {
    // Somebody is writing it, or nobody can.
  }
}

fs::path link_target(const fs::path& path) {
  constexpr int most = 40;  // as the kernel has it
  fs::path target = path;
  for (int links = 0; links <= most; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) {
      return target;
    }
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  fail_errno(Fault::cannot_create, path, ELOOP);
}

void sync_file(const fs::path& file) { sync_path(file, O_RDONLY, file); }
void sync_folder(const fs::path& folder) { sync_path(folder, O_RDONLY | O_DIRECTORY, folder); }

Phrase output_place(const Field& option, const fs::path& path) {
  return Phrase(option, " " + path.string());
}

void require_parent(const Field& option, const fs::path& path) {
  if (path.empty()) {
    fail(Fault::cannot_create, option, "is empty", "give a name");
  }
  try {
    require_writable_folder(link_target(path));
  } catch (const Error& error) {
    throw error.at(output_place(option, path));
  }
}

void require_creatable(const Field& option, const fs::path& path, Overwrite overwrite) {
  require_parent(option, path);
  try {
    const fs::path place = place_of(path);
    std::error_code error;
    if (fs::exists(place, error) && overwrite == Overwrite::no) {
      fail(Fault::cannot_create, path.string(), "exists",
           Phrase("give ", Field{"overwrite", "true"}, " to overwrite it"));
    }
    const Draft proof(place);
  } catch (const Error& error) {
    throw error.at(output_place(option, path));
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
