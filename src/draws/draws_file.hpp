// Draws in files: ours, Stan's and ArviZ's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tain/draws/draws.hpp"

namespace tain {

struct DrawShape;

/// What a draws file tells beside its numbers. Stored and given back by .nc and .csv; an .npy has
/// no place for it.
struct DrawsInfo {
  std::string map, target, kernel;
  double step_size = 0;
  std::uint64_t seed = 0;
  std::uint64_t thin = 1;
  std::string stop_reason = "finished";
  std::string request;  ///< JSON of the options that shape the draws, and of no others
};

/// Draws to a file; the ending chooses the format:
///   .nc   netCDF-4 in ArviZ's InferenceData layout: groups posterior (x, or a variable for every
///         parameter, in order), unconstrained_posterior (y), sample_stats (lp, acceptance_rate,
///         diverging, step_size)
///   .csv  Stan CSV: comments, lp__, accept_stat__, stepsize__, divergent__, chain__, x.1, x.2, …;
///         chains in order in one file, or one file per chain where the name contains "%d"
///         (CmdStan's habit)
///   .npy  x only, shape (chains, draws, dim), little-endian float64
/// Written whole or not at all. Equal draws give equal bytes: no times are stored, except
/// created_at in .nc where SOURCE_DATE_EPOCH is set. Throws Error (usage) for another ending, Error
/// (config) when there are no draws or, for .csv, a name that cannot be a column.
void write_draws(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info);

/// What a file of this ending takes of a disk, about.
double draws_file_bytes(const std::filesystem::path& path, const DrawShape& shape);

/// Throws Error (config) unless the arrays have as many numbers as chains, draws and names say.
void require_shape(const Draws& draws);
/// Throws Error (config) for names that a file of this ending cannot keep.
void require_writable_names(const std::filesystem::path& path,
                            const std::vector<std::string>& names);
/// Does the ending choose a format?
bool is_draws_file(const std::filesystem::path& path);
/// ".nc, .csv or .npy"
std::string draws_endings();

/// Draws read back from any of the three formats (ours, or Stan's and ArviZ's own files).
struct DrawsFile {
  std::uint32_t chains = 0;
  std::uint64_t draws = 0;
  std::vector<std::string> names;
  std::vector<double> values;       ///< (chain, draw, coordinate)
  std::vector<double> acceptance;   ///< (chain, draw); empty if the file has none
  std::vector<double> diverging;    ///< likewise
  std::vector<double> log_density;  ///< likewise
  std::size_t dual_dim = 0;         ///< 0: the file has no dual, or it was not asked for
  std::vector<double> dual;         ///< (chain, draw, dual coordinate)
  DrawsInfo info;
};
/// Several paths are the chains of one run, e.g. one Stan CSV file each. Read from others' files:
///   .nc   every numeric variable (chain, draw, …) of the posterior group, in order: "mu",
///         "theta[1]", "theta[2]", … (text coordinates where there are any)
///   .csv  every column but the sampler's ("…__"); of these accept_stat__ and divergent__ are kept;
///         rows before "# Adaptation terminated" are warm-up and dropped
///   .npy  float64 or float32; (chain, draw) is one quantity, a vector one chain
/// Throws Error (no_input, data) with file and line; a damaged file never takes more memory than a
/// multiple of its size. A .nc with forged metadata can crash the HDF5 library underneath: open
/// only those from people you trust.
DrawsFile read_draws(std::span<const std::filesystem::path> paths, DualPart dual = DualPart::skip);
Draws draws_of(DrawsFile file);

}  // namespace tain
