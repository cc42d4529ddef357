#include "core/space.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "core/file.hpp"
#include "core/sizes.hpp"

namespace tain {

namespace fs = std::filesystem;

std::optional<std::uint64_t> free_space(const fs::path& path) {
  fs::path place = link_target(path);
  std::error_code ignored;
  while (!fs::exists(place, ignored) && place.has_relative_path()) {
    place = place.parent_path();
  }
  struct statvfs status{};
  const char* const name = place.empty() ? "." : place.c_str();
  // Some network file systems know no sizes: then all numbers are 0.
  if (::statvfs(name, &status) != 0 || status.f_blocks == 0) {
    return std::nullopt;
  }
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

void require_space(const Field& option, const fs::path& path, double bytes, const Phrase& remedy) {
  const std::optional<std::uint64_t> free = free_space(path);
  if (free && bytes > static_cast<double>(*free)) {
    fail(Fault::cannot_create, output_place(option, path),
         fmt::format("takes {} of disk, {} are free", format_bytes(bytes),
                     format_bytes(static_cast<double>(*free))),
         Phrase("free some space, write elsewhere, or ").add(remedy));
  }
}

}  // namespace tain
