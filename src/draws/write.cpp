#include <fmt/format.h>

#include <string>

#include "core/file.hpp"
#include "draws/formats.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace draws {

Format format_of(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".nc") {
    return Format::netcdf;
  }
  if (ending == ".csv") {
    return Format::stan_csv;
  }
  if (ending == ".npy") {
    return Format::npy;
  }
  fail(Fault::usage, path.string(), "draws files end in .nc, .csv or .npy",
       "choose one of these endings");
}

namespace {

// CmdStan's habit: "%d" in the name stands for the chain, counted from 1.
void write_csv_files(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info) {
  require_column_names(path, draws.names);
  const std::string name = path.filename().string();
  const std::size_t place = name.find("%d");
  if (place == std::string::npos) {
    write_atomically(path, [&](const std::filesystem::path& temporary) {
      write_stan_csv(temporary, draws, info, 0, draws.chains);
    });
    return;
  }
  for (std::size_t chain = 0; chain < draws.chains; ++chain) {
    std::string numbered = name;
    numbered.replace(place, 2, std::to_string(chain + 1));
    write_atomically(path.parent_path() / numbered, [&](const std::filesystem::path& temporary) {
      write_stan_csv(temporary, draws, info, chain, chain + 1);
    });
  }
}

}  // namespace
}  // namespace draws

void write_draws(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info) {
  const draws::Format format = draws::format_of(path);
  if (draws.values.empty()) {
    fail(Fault::config, path.string(), "there are no draws to write");
  }
  const std::size_t dim = draws.values.size() / (draws.chains * draws.draws);
  if (draws.names.size() != dim) {
    fail(Fault::config, path.string(),
         fmt::format("{} names for {} coordinates", draws.names.size(), dim));
  }
  switch (format) {
    case draws::Format::netcdf:
      write_atomically(path, [&](const std::filesystem::path& temporary) {
        draws::write_netcdf(temporary, draws, info);
      });
      return;
    case draws::Format::npy:
      write_atomically(path, [&](const std::filesystem::path& temporary) {
        draws::write_npy(temporary, draws);
      });
      return;
    case draws::Format::stan_csv:
      draws::write_csv_files(path, draws, info);
      return;
  }
}

}  // namespace tain
