// Tables and folders for the tests of this room.
#pragma once

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "draws/draws_file.hpp"
#include "draws/table.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"

namespace tain::testing_draws {

/// A folder of its own.
struct Folder : test::Folder {
  Folder() : test::Folder("draws") {}
};

/// Every number of a table from `number(k)`, k counting up.
template <class Number>
void fill(DrawTable& table, Number number) {
  const DrawShape& shape = table.shape();
  std::vector<double> x(shape.primal_dim), y(shape.dual_dim);
  std::size_t k = 0;
  for (std::uint32_t chain = 0; chain < shape.chains; ++chain) {
    for (std::uint64_t draw = 0; draw < shape.draws; ++draw) {
      for (double& v : x) {
        v = number(k++);
      }
      for (double& v : y) {
        v = number(k++);
      }
      const double log_density = number(k++), acceptance = number(k++);
      table.put({chain, draw, x, y, log_density, acceptance, k % 3 == 0});
    }
  }
}

/// Awkward but ordinary numbers.
inline double example_number(std::size_t k) {
  return std::sin(static_cast<double>(k)) * std::pow(10.0, static_cast<double>(k % 41) - 30);
}

inline DrawTable example_table(const DrawShape& shape) {
  DrawTable table = DrawTable::in_memory(shape);
  fill(table, example_number);
  return table;
}

inline DrawsInfo example_info() {
  DrawsInfo info;
  info.map = "simplex";
  info.target = "dirichlet";
  info.kernel = "mala";
  info.step_size = 0.1;
  info.seed = 18446744073709551615u;
  info.thin = 3;
  info.stop_reason = "interrupted";
  info.request = "tain sample --target dirichlet --alpha 0.1,0.2 -o draws.nc";
  return info;
}

/// The first draws of every chain.
inline void write_draws(const std::filesystem::path& path, const DrawTable& table,
                        std::uint64_t draws, const DrawsInfo& info,
                        std::vector<std::string> names = {},
                        std::vector<Parameter> parameters = {}) {
  const std::shared_ptr<const DrawTable> borrowed(std::shared_ptr<void>(), &table);
  tain::write_draws(path, draws_of(borrowed, draws, std::move(names), std::move(parameters)), info);
}

/// Equal as bits, all NaN being alike.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) {
      return false;
    }
  }
  return true;
}

/// First `draws` of every chain of an array (chain, draw, width).
inline std::vector<double> first_draws(std::span<const double> values, const DrawShape& shape,
                                       std::uint64_t draws, std::size_t width) {
  std::vector<double> kept;
  for (std::size_t chain = 0; chain < shape.chains; ++chain) {
    const auto part = values.subspan(chain * shape.draws * width, draws * width);
    kept.insert(kept.end(), part.begin(), part.end());
  }
  return kept;
}

inline bool same(const DrawsInfo& a, const DrawsInfo& b) {
  return a.map == b.map && a.target == b.target && a.kernel == b.kernel &&
         same(a.step_size, b.step_size) && a.seed == b.seed && a.thin == b.thin &&
         a.stop_reason == b.stop_reason && a.request == b.request;
}

/// The Error that `action` throws; a test failure where it throws none.
template <class Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return Error(Fault::internal, "test", "no error was thrown", {});
}

}  // namespace tain::testing_draws
