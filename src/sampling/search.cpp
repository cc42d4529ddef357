#include "sampling/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/descent.hpp"
#include "run/kernel_table.hpp"
#include "sampling/manifest_values.hpp"
#include "sampling/unvisited.hpp"
#include "targets/mirrored.hpp"

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_draws_looked_at = 4000;
constexpr std::size_t coordinates_named = 3;
// Numbers that no law of a user's problem reaches but one without a finite integral.
constexpr double end_above = 1e150, end_below = 1e-150;

/// Numbers of draws, evenly over all chains.
std::vector<std::size_t> some_draws(const Draws& draws, std::size_t most) {
  const std::size_t all = draws.chains * draws.draws, step = std::max<std::size_t>(1, all / most);
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < all; k += step) {
    chosen.push_back(k);
  }
  return chosen;
}

std::vector<double> primal_of(const AnyMap& map, const std::vector<double>& y) {
  Workspace ws;
  const Block dual = ws.block(map.dual_dim(), lane_group);
  const Block primal = ws.block(map.primal_dim(), lane_group);
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::fill_n(dual.row(i), lane_group, y[i]);
  }
  map.to_primal(dual, primal, ws);
  std::vector<double> x(map.primal_dim());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = primal.at(i, 0);
  }
  return x;
}

/// "x[1] = 0.9, x[4] = 12": where a point lies furthest from the others.
std::string place_text(const std::vector<double>& x, const std::vector<std::vector<double>>& others,
                       const std::vector<std::string>& names) {
  std::vector<std::size_t> order(x.size());
  std::vector<double> distance(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    order[i] = i;
    for (const std::vector<double>& other : others) {
      distance[i] = std::max(distance[i], std::abs(x[i] - other[i]));
    }
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return distance[i]; });
  order.resize(std::min(order.size(), coordinates_named));
  std::ranges::sort(order);
  std::string text;
  for (const std::size_t i : order) {
    text += fmt::format("{}{} = {:.3g}", text.empty() ? "" : ", ", names[i], x[i]);
  }
  return text;
}

/// By how much the largest change of a mean or an sd would be if a mode of this mass at x belonged
/// to the draws, in their sd.
double shift_by(const std::vector<double>& x, double mass, const Draws& draws) {
  const std::vector<std::size_t> looked_at = some_draws(draws, most_draws_looked_at);
  const auto count = static_cast<double>(looked_at.size());
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double mean = 0, square = 0;
    for (const std::size_t k : looked_at) {
      mean += draws.values[k * x.size() + i] / count;
    }
    for (const std::size_t k : looked_at) {
      const double d = draws.values[k * x.size() + i] - mean;
      square += d * d / count;
    }
    if (const double away = std::abs(x[i] - mean) / std::sqrt(square); std::isfinite(away)) {
      largest = std::max({largest, mass * away, std::sqrt(1 + mass * away * away) - 1});
    }
  }
  return largest;
}

std::vector<FoundMode> visited_modes(const Problem& problem, const Survey& survey,
                                     const Draws& draws) {
  std::vector<FoundMode> found;
  std::vector<std::vector<double>> places;
  std::vector<std::optional<double>> shares;
  for (const auto* list : {&survey.modes, &survey.light}) {
    for (const Mode& mode : *list) {
      places.push_back(primal_of(problem.map, mode.y));
      shares.push_back(survey.share(mode));
    }
  }
  for (std::size_t m = 0; m < places.size(); ++m) {
    found.push_back({.where = place_text(places[m], places, draws.names), .mass = shares[m]});
  }
  if (found.size() <= 1) {
    for (FoundMode& mode : found) {
      mode.draws = 1;
      mode.chains = draws.chains;
    }
    return found;
  }
  const std::vector<std::size_t> looked_at = some_draws(draws, most_draws_looked_at);
  std::vector<std::size_t> last_chain(found.size(), draws.chains);
  for (const std::size_t k : looked_at) {
    const std::size_t m = survey.mode_of(draws.dual.subspan(k * draws.dual_dim, draws.dual_dim));
    const std::size_t chain = k / draws.draws;
    found[m].draws += 1 / double(looked_at.size());
    found[m].chains += last_chain[m] == chain ? 0 : 1;
    last_chain[m] = chain;
  }
  for (std::size_t m = 0; m < found.size(); ++m) {
    if (found[m].mass && found[m].draws < *found[m].mass) {
      found[m].shift = shift_by(places[m], *found[m].mass - found[m].draws, draws);
    }
  }
  return found;
}

std::optional<FoundMass> unvisited_part(const Problem& problem, const SamplePlan& plan,
                                        const Survey& survey, const Draws& draws) {
  const AnyPotential W = mirrored(problem.map, problem.target, problem.form);
  const auto part = unvisited_mass(W, survey, draws, NoiseField(plan.seed));
  if (!part) {
    return {};
  }
  const std::vector<double> from = primal_of(problem.map, part->from);
  const std::vector<double> to = primal_of(problem.map, part->to);
  const auto text = [&](const std::vector<double>& x, const std::vector<double>& other) {
    return place_text(x, {other}, draws.names);
  };
  switch (part->part) {
    case Unvisited::Part::around:
      return FoundMass{"around " + text(from, to), part->mass, part->draws};
    case Unvisited::Part::outside:
      return FoundMass{fmt::format("further from {} than {}", text(from, to), text(to, from)),
                       part->mass, part->draws};
    case Unvisited::Part::beyond:
      return FoundMass{"beyond " + text(to, from), part->mass, part->draws};
  }
  return {};
}

/// The coordinate that runs to where numbers end, if one does.
std::string end_of_numbers(const Draws& draws) {
  const std::size_t dim = draws.names.size(), all = draws.chains * draws.draws;
  for (std::size_t i = 0; i < dim; ++i) {
    std::size_t beyond = 0;
    double furthest = 1;
    for (std::size_t k = 0; k < all; ++k) {
      const double x = std::abs(draws.values[k * dim + i]);
      if (x > end_above || (x > 0 && x < end_below)) {
        ++beyond;
        furthest = std::abs(std::log(x)) > std::abs(std::log(furthest)) ? x : furthest;
      }
    }
    if (beyond > 1) {
      return fmt::format("{} runs to {:.0e}", draws.names[i], furthest);
    }
  }
  return {};
}

/// Says so where draws are so near to a wall that a thousand units in the last place of x change y:
/// the target cannot tell what lies between, and what would lie beyond has no number.
std::string end_at_a_wall(const AnyMap& map, const Draws& draws) {
  constexpr double units = 1024 * std::numeric_limits<double>::epsilon(), moved = 0.5,
                   share_lost = 0.01;
  const std::vector<std::size_t> looked_at = some_draws(draws, 1024);
  std::vector<std::size_t> lost(map.dual_dim());
  Workspace ws;
  const std::size_t dim = draws.names.size();
  for (std::size_t first = 0; first < looked_at.size(); first += lane_group) {
    Workspace::Scope scope(ws);
    const std::size_t count = std::min(lane_group, looked_at.size() - first);
    const Block x = ws.block(dim, lane_group), y = ws.block(map.dual_dim(), lane_group);
    for (std::size_t l = 0; l < lane_group; ++l) {
      const std::size_t k = looked_at[first + std::min(l, count - 1)];
      for (std::size_t i = 0; i < dim; ++i) {
        x.at(i, l) = draws.values[k * dim + i] * (1 - units);
      }
    }
    map.to_dual(x, y, ws);
    for (std::size_t l = 0; l < count; ++l) {
      for (std::size_t j = 0; j < lost.size(); ++j) {
        const double told = draws.dual[looked_at[first + l] * draws.dual_dim + j];
        // Written so that a y that is infinite, or none at all beyond the wall, counts.
        lost[j] += std::abs(y.at(j, l) - told) <= moved * (1 + 1e-6 * std::abs(told)) ? 0 : 1;
      }
    }
  }
  const std::size_t most = lost.empty() ? 0 : std::ranges::max(lost);
  if (double(most) <= share_lost * double(looked_at.size())) {
    return {};
  }
  return fmt::format("{:.0f} % of the draws are nearer to the edge of the set than numbers tell",
                     100 * double(most) / double(looked_at.size()));
}

/// -V as a function of y: where it goes down, the density falls.
struct Upside {
  AnyMap map;
  AnyPotential target;

  std::string name() const { return target.name(); }
  std::size_t dim() const { return map.dual_dim(); }
  void evaluate(ConstBlock y, std::span<double> value, Block grad, Workspace& ws) const {
    const Workspace::Scope scope(ws);
    const Block x = ws.block(map.primal_dim(), y.lanes());
    const Block slope = ws.block(map.primal_dim(), y.lanes());
    map.to_primal(y, x, ws);
    target.evaluate(x, value, slope, ws);
    map.pull_back(y, x, slope, grad, ws);
    for (double& v : value) {
      v = -v;
    }
    for (double& g : grad.flat()) {
      g = -g;
    }
  }
};

/// Says so where the density has its least inside the set, one place that all ways down lead to,
/// and most draws keep away from it: what happens to whoever passes log p where V is meant.
std::string wrong_sign(const Problem& problem, const Draws& draws) {
  constexpr std::size_t ways = 16;
  const Upside upside{problem.map, problem.target};
  std::vector<std::vector<double>> starts;
  for (const std::size_t k : some_draws(draws, ways)) {
    const auto y = draws.dual.subspan(k * draws.dual_dim, draws.dual_dim);
    starts.emplace_back(y.begin(), y.end());
  }
  Workspace ws;
  const std::vector<double> before = values_at(upside, starts, ws);
  const std::vector<Descent> down = descend(upside, starts, ws);
  const Descent& first = down.front();
  std::size_t away = 0;
  for (std::size_t k = 0; k < down.size(); ++k) {
    away += before[k] > first.value + 1 ? 1 : 0;
    if (!down[k].settled) {
      return {};
    }
    for (std::size_t i = 0; i < first.end.size(); ++i) {
      if (std::abs(down[k].end[i] - first.end[i]) > 1e-3 * (1 + std::abs(first.end[i]))) {
        return {};
      }
    }
  }
  if (4 * away < 3 * down.size()) {
    return {};
  }
  const std::vector<double> x = primal_of(problem.map, first.end);
  return fmt::format("the density is least inside the set (at {}) and the draws keep away from it",
                     place_text(x, {}, draws.names));
}

}  // namespace

Search search_of(const Problem& problem, const SamplePlan& plan, const Survey& survey,
                 const Draws& draws) {
  Search found;
  found.one_start = plan.start.given() && draws.chains > 1;
  if (problem.target.unimodal() || draws.draws == 0) {
    return found;
  }
  found.improper = end_of_numbers(draws);
  const KernelRow* const kernel = find_kernel(plan.kernel);
  if (!kernel || kernel->space != Space::dual || draws.dual.empty()) {
    return found;
  }
  found.modes = visited_modes(problem, survey, draws);
  if (found.improper.empty()) {
    found.improper = end_at_a_wall(problem.map, draws);
  }
  if (plan.batch.size == 0) {
    found.unvisited = unvisited_part(problem, plan, survey, draws);
    found.sign_note = wrong_sign(problem, draws);
  }
  return found;
}

Json search_json(const Search& search) {
  Json modes = Json::array();
  for (const FoundMode& mode : search.modes) {
    modes.push_back({{"where", mode.where}, {"draws", mode.draws}, {"chains", mode.chains}});
    if (mode.mass) {
      modes.back()["mass"] = *mode.mass;
    }
    if (mode.shift) {
      modes.back()["shift"] = *mode.shift;
    }
  }
  Json unvisited;
  if (search.unvisited) {
    unvisited = {{"where", search.unvisited->where},
                 {"mass", search.unvisited->mass},
                 {"draws", search.unvisited->draws}};
  }
  return {{"modes", modes},
          {"unvisited", unvisited},
          {"improper", search.improper},
          {"sign_note", search.sign_note},
          {"one_start", search.one_start}};
}

Search search_in(const Json& manifest) {
  Search search;
  const auto kept = manifest.find("search");
  if (kept == manifest.end() || !kept->is_object()) {
    return search;
  }
  search.improper = text_in(*kept, "improper");
  search.sign_note = text_in(*kept, "sign_note");
  search.one_start = kept->value("one_start", Json()) == true;
  if (const auto part = kept->find("unvisited"); part != kept->end() && part->is_object()) {
    search.unvisited = FoundMass{text_in(*part, "where"), number_in(*part, "mass").value_or(0),
                                 number_in(*part, "draws").value_or(0)};
  }
  if (const auto modes = kept->find("modes"); modes != kept->end() && modes->is_array()) {
    for (const Json& mode : *modes) {
      if (mode.is_object()) {
        search.modes.push_back({.where = text_in(mode, "where"),
                                .mass = number_in(mode, "mass"),
                                .shift = number_in(mode, "shift"),
                                .draws = number_in(mode, "draws").value_or(0),
                                .chains = count_in(mode, "chains").value_or(0)});
      }
    }
  }
  return search;
}

}  // namespace tain
