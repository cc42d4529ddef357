#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/file.hpp"
#include "draws/formats.hpp"
#include "draws/table.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace draws {

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

/// Writers that know neither temporary names nor chains in files of their own.
template <auto write>
void write_one(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info) {
  write_atomically(path,
                   [&](const std::filesystem::path& temporary) { write(temporary, draws, info); });
}

DrawsFile read_csv(const std::filesystem::path& path, DualPart) {
  return parse_stan_csv(read_file(path), path.string());
}

DrawsFile read_npy(const std::filesystem::path& path, DualPart) {
  const std::string bytes = read_file(path);
  return parse_npy(std::as_bytes(std::span(bytes)), path.string());
}

// Beside x and y: lp, acceptance rate and step size, and whether a draw diverged.
double netcdf_bytes(const DrawsSize& size) {
  return 8 * (size.primal + size.dual + 3 * size.pairs) + size.pairs;
}

// A double takes up to 24 characters, most take 18 or 19 and a comma.
double csv_bytes(const DrawsSize& size) { return 20 * (size.primal + 5 * size.pairs); }

double npy_bytes(const DrawsSize& size) { return 8 * size.primal; }

constexpr std::array<FormatRow, 3> table{{
    {".nc", false, read_netcdf, write_one<write_netcdf>, netcdf_bytes},
    {".csv", true, read_csv, write_csv_files, csv_bytes},
    {".npy", false, read_npy,
     write_one<[](const std::filesystem::path& path, const Draws& draws, const DrawsInfo&) {
       write_npy(path, draws);
     }>,
     npy_bytes},
}};

const FormatRow* find(const std::filesystem::path& path) {
  const auto found = std::ranges::find(table, path.extension().string(), &FormatRow::ending);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const FormatRow& format_of(const std::filesystem::path& path) {
  const FormatRow* const found = find(path);
  if (!found) {
    fail(Fault::usage, path.string(), fmt::format("draws files end in {}", draws_endings()),
         "choose one of these endings");
  }
  return *found;
}

}  // namespace draws

bool is_draws_file(const std::filesystem::path& path) { return draws::find(path) != nullptr; }

std::string draws_endings() {
  std::string text;
  for (const draws::FormatRow& row : draws::table) {
    const bool first = &row == draws::table.begin(), last = &row + 1 == draws::table.end();
    text += fmt::format("{}{}", first ? "" : last ? " or " : ", ", row.ending);
  }
  return text;
}

void write_draws(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info) {
  const draws::FormatRow& format = draws::format_of(path);
  if (draws.values.empty()) {
    fail(Fault::config, path.string(), "there are no draws to write");
  }
  require_shape(draws);
  format.write(path, draws, info);
}

double draws_file_bytes(const std::filesystem::path& path, const DrawShape& shape) {
  const double pairs = double(shape.chains) * double(shape.draws);
  return draws::format_of(path).bytes(
      {pairs, pairs * double(shape.primal_dim), pairs * double(shape.dual_dim)});
}

void require_writable_names(const std::filesystem::path& path,
                            const std::vector<std::string>& names) {
  if (draws::format_of(path).columns) {
    draws::require_column_names(path, names);
  }
}

}  // namespace tain
