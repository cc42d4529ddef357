#include <fmt/format.h>

#include <limits>
#include <string>
#include <tuple>

#include "draws/formats.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

void require_alike(const DrawsFile& first, const std::filesystem::path& first_path,
                   const DrawsFile& next, const std::filesystem::path& path) {
  if (next.draws != first.draws) {
    fail(Fault::data, path.string(),
         fmt::format("has {} draws per chain, {} has {}", next.draws, first_path.string(),
                     first.draws),
         "give files of one run");
  }
  if (next.names != first.names) {
    fail(Fault::data, path.string(),
         fmt::format("names other coordinates than {}", first_path.string()),
         "give files of one run");
  }
  const auto made = [](const DrawsFile& file) {
    return std::tie(file.info.kernel, file.info.target, file.info.map);
  };
  if (made(next) != made(first)) {
    fail(Fault::data, path.string(),
         fmt::format("was made by another kernel, or of another target or set, than {}",
                     first_path.string()),
         "give files of one run");
  }
  if (std::uint64_t{first.chains} + next.chains > std::numeric_limits<std::uint32_t>::max()) {
    fail(Fault::data, path.string(), "too many chains");
  }
}

// Keeps what every file has, drops what only some have.
void append_statistic(std::vector<double>& to, const std::vector<double>& from) {
  if (to.empty() || from.empty()) {
    to.clear();
  } else {
    to.insert(to.end(), from.begin(), from.end());
  }
}

}  // namespace

DrawsFile read_draws(std::span<const std::filesystem::path> paths, DualPart dual) {
  if (paths.empty()) {
    fail(Fault::usage, "draws", "no file was named", "give at least one draws file");
  }
  DrawsFile all = draws::format_of(paths.front()).read(paths.front(), dual);
  for (const std::filesystem::path& path : paths.subspan(1)) {
    const DrawsFile next = draws::format_of(path).read(path, dual);
    require_alike(all, paths.front(), next, path);
    all.chains += next.chains;
    all.values.insert(all.values.end(), next.values.begin(), next.values.end());
    append_statistic(all.acceptance, next.acceptance);
    append_statistic(all.diverging, next.diverging);
    append_statistic(all.log_density, next.log_density);
    append_statistic(all.dual, next.dual_dim == all.dual_dim ? next.dual : std::vector<double>());
    all.dual_dim = all.dual.empty() ? 0 : all.dual_dim;
  }
  return all;
}

}  // namespace tain
