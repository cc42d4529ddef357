// The formats of draws files, a row each, with reader and writer.
//
// Laws: a reader's memory is bounded by a multiple of the size of its file, whatever the file
//   promises; every fault is an Error that names the file (and the line, where there are lines).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "draws/draws_file.hpp"

namespace tain::draws {

/// Numbers of a draws file, of all chains and draws together.
struct DrawsSize {
  double pairs = 0;  ///< of chain and draw
  double primal = 0, dual = 0;
};

struct FormatRow {
  std::string_view ending;
  bool columns;  ///< its names are those of columns, which not every text can be
  DrawsFile (*read)(const std::filesystem::path& path, DualPart dual);
  void (*write)(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info);
  double (*bytes)(const DrawsSize& size);  ///< about
};
/// By the ending of the name; throws Error (usage) for an unknown one.
const FormatRow& format_of(const std::filesystem::path& path);

/// Each writes the whole file at `path`, which need not bear the final name.
void write_netcdf(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info);
void write_npy(const std::filesystem::path& path, const Draws& draws);
/// Chains [first, last) in order.
void write_stan_csv(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info,
                    std::size_t first, std::size_t last);

DrawsFile read_netcdf(const std::filesystem::path& path, DualPart dual = DualPart::skip);
/// `name` is what messages call the input.
DrawsFile parse_npy(std::span<const std::byte> bytes, std::string_view name);
DrawsFile parse_stan_csv(std::string_view text, std::string_view name);

/// Throws Error (config) for names that the columns of a .csv cannot have.
void require_column_names(const std::filesystem::path& path, const std::vector<std::string>& names);

}  // namespace tain::draws
