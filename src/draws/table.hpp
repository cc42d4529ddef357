// All draws of a run in one table, in memory or in a mapped file: position-addressed, so that a run
// that is killed and resumed writes the same bytes at the same places.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "run/sink.hpp"
#include "tain/draws/draws.hpp"

namespace tain {

struct DrawShape {
  std::uint32_t chains = 0;
  std::uint64_t draws = 0;  ///< per chain
  std::size_t primal_dim = 0;
  std::size_t dual_dim = 0;
  /// Bytes a table of this shape takes (overflow-checked; throws Error (config) beyond 2^62).
  std::size_t bytes() const;
};

/// Arrays are row-major (chain, draw, coordinate) and (chain, draw).
class DrawTable final : public DrawSink {
 public:
  static DrawTable in_memory(const DrawShape& shape);
  static DrawTable create(const std::filesystem::path& path, const DrawShape& shape);
  /// Reopens a file made by create with the same shape; throws Error (data) on any mismatch.
  static DrawTable reopen(const std::filesystem::path& path, const DrawShape& shape);

  /// Throws Error (internal) for a draw that has no place in it.
  void put(const Draw& draw) override;
  /// Throws Error (io), as MappedFile does.
  void require_whole() const { file_.require_whole(); }
  void sync() const;
  /// Of draws [first, end) of every chain, against damage. Checksums of draws that follow one
  /// another add up to that of all.
  std::uint64_t checksum(std::uint64_t first, std::uint64_t end) const;

  const DrawShape& shape() const { return shape_; }
  std::span<const double> primal() const;
  std::span<const double> dual() const;
  std::span<const double> log_density() const;
  std::span<const double> acceptance() const;
  std::span<const double> diverging() const;  ///< 0 or 1

 private:
  DrawTable(MappedFile file, const DrawShape& shape);
  MappedFile file_;
  DrawShape shape_;
};

/// The first draws of every chain of a table, without gaps: as they stand where the table is full,
/// else copied. Shares the table. Throws Error (internal) if it has fewer draws. Without names: x[1], x[2], ...
Draws draws_of(const std::shared_ptr<const DrawTable>& table, std::uint64_t draws,
               std::vector<std::string> names = {}, std::vector<Parameter> parameters = {});

}  // namespace tain
