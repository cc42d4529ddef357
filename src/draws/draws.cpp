#include "tain/draws/draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <set>

#include "draws/draws_file.hpp"
#include "draws/table.hpp"

namespace tain {
namespace {

/// A table and the copies that were made of parts of it.
struct Completed {
  std::shared_ptr<const DrawTable> table;
  std::deque<std::vector<double>> copies;  // elements stay where they are

  std::span<const double> part(std::span<const double> whole, std::size_t width,
                               std::uint64_t draws) {
    const DrawShape& shape = table->shape();
    if (draws == shape.draws) {
      return whole;
    }
    std::vector<double>& copy = copies.emplace_back();
    for (std::size_t chain = 0; chain < shape.chains; ++chain) {
      const auto own = whole.subspan(chain * shape.draws * width, draws * width);
      copy.insert(copy.end(), own.begin(), own.end());
    }
    return copy;
  }
};

/// Can variables of a file bear them, and do they give these names back?
bool are_variables(const std::vector<Parameter>& parameters,
                   const std::vector<std::string>& names) {
  std::set<std::string> seen{"chain", "draw"};
  const auto fits = [&](const Parameter& parameter) {
    const bool word = std::ranges::all_of(parameter.name, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.';
    });
    return word && seen.insert(parameter.name).second &&
           seen.insert(parameter.name + "_dim_0").second;
  };
  return coordinate_names(parameters, names.size()) == names &&
         std::ranges::all_of(parameters, fits);
}

}  // namespace

Draws draws_of(const std::shared_ptr<const DrawTable>& table, std::uint64_t draws,
               std::vector<std::string> names, std::vector<Parameter> parameters) {
  const auto storage = std::make_shared<Completed>();
  storage->table = table;
  const DrawShape& shape = table->shape();
  if (draws > shape.draws) {
    fail(Fault::internal, "draws",
         fmt::format("{} of each chain are asked for, the table has {}", draws, shape.draws),
         "please report it");
  }
  return {.chains = shape.chains,
          .draws = draws,
          .names = names.empty() ? coordinate_names({}, shape.primal_dim) : std::move(names),
          .parameters = std::move(parameters),
          .values = storage->part(table->primal(), shape.primal_dim, draws),
          .acceptance = storage->part(table->acceptance(), 1, draws),
          .diverging = storage->part(table->diverging(), 1, draws),
          .log_density = storage->part(table->log_density(), 1, draws),
          .dual_dim = shape.dual_dim,
          .dual = storage->part(table->dual(), shape.dual_dim, draws),
          .storage = storage};
}

void require_shape(const Draws& draws) {
  constexpr std::size_t most = std::size_t{1} << 60;  // numbers
  std::size_t pairs = 0, numbers = 0, duals = 0;
  const bool overflow = __builtin_mul_overflow(draws.chains, draws.draws, &pairs) ||
                        __builtin_mul_overflow(pairs, draws.names.size(), &numbers) ||
                        __builtin_mul_overflow(pairs, draws.dual_dim, &duals) || numbers > most;
  const auto fits = [](std::span<const double> array, std::size_t size) {
    return array.empty() || array.size() == size;
  };
  if (overflow || draws.values.size() != numbers || !fits(draws.dual, duals) ||
      !fits(draws.acceptance, pairs) || !fits(draws.diverging, pairs) ||
      !fits(draws.log_density, pairs)) {
    fail(Fault::config, "draws",
         fmt::format("{} numbers are not {} chains of {} draws of {} coordinates, or what is told "
                     "of each draw is not of as many",
                     draws.values.size(), draws.chains, draws.draws, draws.names.size()),
         "give every array the shape that the draws tell");
  }
}

Draws draws_of(DrawsFile file) {
  const auto storage = std::make_shared<DrawsFile>(std::move(file));
  std::vector<Parameter> parameters = parameters_of(storage->names);
  if (storage->names == coordinate_names({}, storage->names.size()) ||
      !are_variables(parameters, storage->names)) {
    parameters.clear();
  }
  return {.chains = storage->chains,
          .draws = storage->draws,
          .names = storage->names,
          .parameters = std::move(parameters),
          .values = storage->values,
          .acceptance = storage->acceptance,
          .diverging = storage->diverging,
          .log_density = storage->log_density,
          .dual_dim = storage->dual_dim,
          .dual = storage->dual,
          .storage = storage};
}

std::vector<Parameter> parameters_of(std::span<const std::string> names) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t bracket = names[i].find('[');
    const std::string base = names[i].substr(0, bracket);
    const bool element = bracket != std::string::npos;
    if (element && !parameters.empty() && parameters.back().name == base &&
        !parameters.back().shape.empty()) {
      ++parameters.back().count;
      parameters.back().shape = {parameters.back().count};
    } else {
      parameters.push_back(
          {base, element ? std::vector<std::size_t>{1} : std::vector<std::size_t>(), i, 1});
    }
  }
  return parameters;
}

}  // namespace tain
