#include <fmt/format.h>

#include <string>

#include "formats.hpp"
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

std::vector<std::string> default_names(std::size_t dim) {
  std::vector<std::string> names;
  names.reserve(dim);
  for (std::size_t i = 1; i <= dim; ++i) {
    names.push_back(fmt::format("x[{}]", i));
  }
  return names;
}

namespace {

// CmdStan's habit: "%d" in the name stands for the chain, counted from 1.
void write_csv_files(const std::filesystem::path& path, const DrawTable& table, std::uint64_t draws,
                     const DrawsInfo& info) {
  require_stan_names(path, info);
  const std::string name = path.filename().string();
  const std::size_t place = name.find("%d");
  const std::uint32_t chains = table.shape().chains;
  if (place == std::string::npos) {
    write_atomically(path, [&](const std::filesystem::path& temporary) {
      write_stan_csv(temporary, table, draws, info, 0, chains);
    });
    return;
  }
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    std::string numbered = name;
    numbered.replace(place, 2, std::to_string(chain + 1));
    write_atomically(path.parent_path() / numbered, [&](const std::filesystem::path& temporary) {
      write_stan_csv(temporary, table, draws, info, chain, chain + 1);
    });
  }
}

}  // namespace
}  // namespace draws

void write_draws(const std::filesystem::path& path, const DrawTable& table, std::uint64_t draws,
                 const DrawsInfo& info) {
  const draws::Format format = draws::format_of(path);
  const DrawShape& shape = table.shape();
  if (draws == 0 || shape.chains == 0 || shape.primal_dim == 0) {
    fail(Fault::config, path.string(), "there are no draws to write");
  }
  TAIN_EXPECTS(draws <= shape.draws, "more draws than the table holds");
  DrawsInfo named = info;
  if (named.names.empty()) {
    named.names = draws::default_names(shape.primal_dim);
  }
  if (named.names.size() != shape.primal_dim) {
    fail(Fault::config, path.string(),
         fmt::format("{} names for {} coordinates", named.names.size(), shape.primal_dim));
  }
  switch (format) {
    case draws::Format::netcdf:
      write_atomically(path, [&](const std::filesystem::path& temporary) {
        draws::write_netcdf(temporary, table, draws, named);
      });
      return;
    case draws::Format::npy:
      write_atomically(path, [&](const std::filesystem::path& temporary) {
        draws::write_npy(temporary, table, draws);
      });
      return;
    case draws::Format::stan_csv:
      draws::write_csv_files(path, table, draws, named);
      return;
  }
}

}  // namespace tain
