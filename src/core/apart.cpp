#include "core/apart.hpp"

#include <sys/stat.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/file.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

/// A file that is there; a name in a folder for one that is not.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity_of(const fs::path& path, const std::string& name = {}) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return Identity(status.st_dev, status.st_ino, name);
}

/// Where a link leads; nowhere if it leads in a circle.
fs::path place_of_link(const fs::path& path) {
  try {
    return link_target(path);
  } catch (const Error&) {
    return path;
  }
}

fs::path parent_of(const fs::path& place) {
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

/// Paths that lead to nothing have one too, unless their folder is missing.
std::optional<Identity> identity(const fs::path& path) {
  if (const std::optional<Identity> there = identity_of(path)) {
    return there;
  }
  const fs::path place = place_of_link(path);
  return identity_of(parent_of(place), place.filename().string());
}

/// The folder that a file lies in.
std::optional<Identity> folder_identity(const fs::path& path) {
  return identity_of(parent_of(place_of_link(path)));
}

bool is_file(const NamedPath& path) { return !path.path.empty() && path.path != "-"; }

[[noreturn]] void refuse(const NamedPath& output, const Phrase& problem) {
  Phrase where = output.name;
  where.add(" " + output.path.string());
  fail(Fault::config, where, problem, "choose another place");
}

void require_different(const NamedPath& output, const NamedPath& other) {
  if (!is_file(output) || !is_file(other)) {
    return;
  }
  const std::optional<Identity> own = identity(output.path), theirs = identity(other.path);
  if (own && own == theirs) {
    refuse(output, Phrase("is the same place as ").add(other.name));
  }
}

}  // namespace

void require_apart(std::span<const NamedPath> files, std::span<const NamedPath> inputs) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const NamedPath& earlier : files.first(i)) {
      require_different(files[i], earlier);
    }
    require_apart(files[i], inputs);
    for (const NamedPath& input : inputs) {
      std::error_code ignored;
      if (is_file(files[i]) && fs::is_directory(input.path, ignored) &&
          folder_identity(files[i].path) == identity(input.path)) {
        refuse(files[i], Phrase("would lie in ").add(input.name));
      }
    }
  }
}

void require_apart(const NamedPath& folder, std::span<const NamedPath> inputs) {
  for (const NamedPath& input : inputs) {
    require_different(folder, input);
  }
}

}  // namespace tain
