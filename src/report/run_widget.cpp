#include "report/run_widget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "report/run_coordinate.hpp"
#include "run/kernel_table.hpp"

namespace tain::report {
namespace {

constexpr std::size_t most_points = 1000, most_divergent = 200, most_strip = 1000,
                      most_acceptance = 60;

struct Order {
  std::string_view reason;
  std::function<double(const SummaryRow&)> badness;  // NaN: worst of all
};

const std::array<Order, 4>& orders() {
  static const std::array<Order, 4> all = {{
      {"among the worst R-hat", [](const SummaryRow& r) { return r.rhat; }},
      {"among the lowest bulk ESS", [](const SummaryRow& r) { return -r.ess_bulk; }},
      {"among the lowest tail ESS", [](const SummaryRow& r) { return -r.ess_tail; }},
      {"among the largest sd", [](const SummaryRow& r) { return r.sd; }},
  }};
  return all;
}

double sort_key(const SummaryRow& row, const Order& order) {
  if (row.sd == 0) {
    return -INFINITY;
  }
  const double badness = order.badness(row);
  return std::isnan(badness) ? INFINITY : badness;
}

/// Evenly spread over all draws, and those that diverged.
Positions point_positions(const Draws& draws) {
  const std::size_t total = draws.chains * draws.draws, shown = std::min(total, most_points);
  Positions positions;
  for (std::size_t i = 0; i < shown; ++i) {
    positions.push_back(i * total / shown);
  }
  std::size_t divergent = 0;
  for (std::size_t i = 0; i < draws.diverging.size() && divergent < most_divergent; ++i) {
    if (draws.diverging[i] != 0) {
      positions.push_back(i);
      ++divergent;
    }
  }
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

void write_points(JsonWriter& json, const Draws& draws, const Positions& positions) {
  json.key("points").open('{').key("chain").open('[');
  for (const std::size_t position : positions) {
    json.count(position / draws.draws + 1);
  }
  json.close(']').key("divergent").open('[');
  for (std::size_t i = 0; i < positions.size() && !draws.diverging.empty(); ++i) {
    if (draws.diverging[positions[i]] != 0) {
      json.count(i);
    }
  }
  json.close(']').close('}');
}

std::string_view kind_name(Outline::Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"unknown", "none", "range", "triangle",
                                                     "circle"};
  return names[static_cast<std::size_t>(kind)];
}

void write_outline(JsonWriter& json, const Outline& set, std::span<const ShownCoordinate> shown) {
  json.key("outline").open('{').key("kind").text(kind_name(set.kind));
  const auto list = [&](std::string_view name, const std::vector<double>& values) {
    if (!values.empty()) {
      json.key(name).open('[');
      for (const ShownCoordinate& coordinate : shown) {
        json.number(values[coordinate.index]);
      }
      json.close(']');
    }
  };
  list("lower", set.lower);
  list("upper", set.upper);
  list("centre", set.centre);
  if (set.kind == Outline::Kind::circle) {
    json.key("radius").number(set.radius);
  }
  json.close('}');
}

/// Dual coordinates of the shown ones: as the run had them, or on the simplex from the draws.
class Dual {
 public:
  Dual(const RunReport& report, const Positions& positions)
      : draws_(report.draws), positions_(positions), dim_(report.draws.names.size()) {
    const std::string& kernel = report.record.plan.kernel;
    const KernelRow* known = find_kernel(kernel);
    const bool mirrored = kernel.empty() || (known && known->space == Space::dual);
    const bool simplex = report.outline.kind == Outline::Kind::triangle;
    if (!draws_.dual.empty() && draws_.dual_dim == dim_) {
      skipped_ = dim_;
    } else if (!draws_.dual.empty() && draws_.dual_dim + 1 == dim_ && simplex) {
      skipped_ = report.outline.skipped.value_or(dim_ - 1);
    } else if (simplex) {
      computed_ = true;
      skipped_ = largest_mean(report.found.rows);
    } else {
      return;
    }
    what_ = computed_  ? fmt::format("log ratios to {}, which the entropic map's dual is",
                                     draws_.names[skipped_])
            : mirrored ? "the dual space in which the chains moved"
                       : fmt::format("the space of its own in which {} moves", kernel);
  }

  void write(JsonWriter& json, std::span<const ShownCoordinate> shown) const {
    if (what_.empty()) {
      return;
    }
    json.key("dual").open('{').key("what").text(what_);
    if (skipped_ < dim_) {
      json.key("skipped").text(draws_.names[skipped_]);
    }
    json.key("coordinates").open('[');
    for (const ShownCoordinate& coordinate : shown) {
      coordinate.index == skipped_ ? json.null() : write_one(json, coordinate.index);
    }
    json.close(']').close('}');
  }

 private:
  static std::size_t largest_mean(const std::vector<SummaryRow>& rows) {
    const auto mean = [](const SummaryRow& r) { return std::isnan(r.mean) ? -1.0 : r.mean; };
    return static_cast<std::size_t>(std::ranges::max_element(rows, {}, mean) - rows.begin());
  }

  JsonWriter& write_one(JsonWriter& json, std::size_t index) const {
    const std::size_t own = index < skipped_ ? index : index - 1;
    std::vector<double> y;
    for (const std::size_t position : positions_) {
      const double* x = draws_.values.data() + position * dim_;
      y.push_back(computed_ ? std::log(x[index] / x[skipped_])
                            : draws_.dual[position * draws_.dual_dim + own]);
    }
    const Packing packing{.centre = packing_of(y).centre};
    std::ranges::transform(y, y.begin(), packing);
    json.open('{').key("name").text(
        computed_ ? fmt::format("log {}/{}", draws_.names[index], draws_.names[skipped_])
                  : fmt::format("y[{}]", own + 1));
    write_packing(json, packing);
    return json.key("points").packed(y).close('}');
  }

  const Draws& draws_;
  const Positions& positions_;
  std::size_t dim_;
  std::size_t skipped_ = 0;  // dim_: none
  bool computed_ = false;
  std::string what_;
};

/// R-hat, or nested R-hat where that decides, and ESS of all coordinates; of too many neighbours the
/// worst stands for all.
void write_strip(JsonWriter& json, const std::vector<SummaryRow>& rows) {
  const std::size_t width = (rows.size() + most_strip - 1) / most_strip;
  json.key("strip").open('{').key("width").count(width);
  std::vector<double> rhat, bulk, tail;
  const auto by_groups = std::ranges::count_if(rows, converged_by_groups);
  for (std::size_t first = 0; first < rows.size(); first += width) {
    double r = NAN, b = NAN, t = NAN;
    for (std::size_t i = first; i < std::min(first + width, rows.size()); ++i) {
      // NaN, of constants, gives way.
      r = std::fmax(r, converged_by_groups(rows[i]) ? rows[i].nested_rhat : rows[i].rhat);
      b = std::fmin(b, rows[i].ess_bulk);
      t = std::fmin(t, rows[i].ess_tail);
    }
    rhat.push_back(r);
    bulk.push_back(b);
    tail.push_back(t);
  }
  if (by_groups > 0) {
    json.key("nested").count(static_cast<std::size_t>(by_groups));
  }
  json.key("rhat").numbers(rhat).key("ess_bulk").numbers(bulk).key("ess_tail").numbers(tail);
  json.close('}');
}

/// Mean over chains and stretches of draws, with the least and the largest mean of a chain.
void write_acceptance(JsonWriter& json, const RunReport& report) {
  const Draws& draws = report.draws;
  if (draws.acceptance.empty()) {
    return;
  }
  const std::size_t width = (draws.draws + most_acceptance - 1) / most_acceptance;
  std::vector<double> mean, low, high;
  for (std::size_t first = 0; first < draws.draws; first += width) {
    const std::size_t count = std::min(width, draws.draws - first);
    double sum = 0, least = INFINITY, largest = -INFINITY;
    for (std::size_t chain = 0; chain < draws.chains; ++chain) {
      const auto own = draws.acceptance.subspan(chain * draws.draws + first, count);
      const double part = std::accumulate(own.begin(), own.end(), 0.0);
      sum += part;
      least = std::min(least, part / static_cast<double>(count));
      largest = std::max(largest, part / static_cast<double>(count));
    }
    mean.push_back(sum / static_cast<double>(count * draws.chains));
    low.push_back(least);
    high.push_back(largest);
  }
  json.key("acceptance").open('{').key("width").count(width).key("mean").numbers(mean);
  json.key("low").numbers(low).key("high").numbers(high);
  if (report.record.done.bias_indicator) {
    json.key("indicator").number(*report.record.done.bias_indicator).key("gate").number(bias_gate);
  }
  json.close('}');
}

void write_history(JsonWriter& json, const RunRecord& record) {
  const StepSizeHistory& history = record.done.history;
  const double step_size = record.done.tuning.step_size;
  if (history.empty()) {
    // The record of a run that says nothing about warm-up's search had none.
    if (!record.plan.command.empty() && step_size > 0) {
      json.key("given_step_size").number(step_size);
    }
    return;
  }
  json.key("history").open('{').key("step").numbers(history.step);
  json.key("step_size").numbers(history.step_size);
  json.key("acceptance").numbers(history.acceptance);
  if (step_size > 0) {
    json.key("final").number(step_size);
  }
  json.close('}');
}

}  // namespace

std::vector<ShownCoordinate> choose_coordinates(const std::vector<SummaryRow>& rows) {
  std::vector<ShownCoordinate> shown;
  if (rows.size() <= shown_coordinates) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      shown.push_back({i, ""});
    }
    return shown;
  }
  std::vector<std::vector<std::size_t>> queues;
  for (const Order& order : orders()) {
    std::vector<std::size_t>& queue = queues.emplace_back(rows.size());
    std::iota(queue.begin(), queue.end(), 0);
    std::ranges::stable_sort(queue, std::greater<>(),
                             [&](std::size_t i) { return sort_key(rows[i], order); });
  }
  std::vector<bool> taken(rows.size(), false);
  for (std::size_t turn = 0; shown.size() < shown_coordinates; ++turn) {
    const std::size_t which = turn % queues.size();
    const auto next = std::ranges::find_if(queues[which], [&](std::size_t i) { return !taken[i]; });
    taken[*next] = true;
    shown.push_back({*next, std::string(orders()[which].reason)});
  }
  std::ranges::sort(shown, {}, &ShownCoordinate::index);
  return shown;
}

std::string run_widget(const RunReport& report, Threads& threads) {
  const Draws& draws = report.draws;
  const std::vector<ShownCoordinate> shown = choose_coordinates(report.found.rows);
  const Positions positions = point_positions(draws);
  RankBands bands(std::max<std::size_t>(draws.chains, 2), ecdf_points);
  std::vector<std::string> coordinates(shown.size());
  threads.for_each(shown.size(), [&](std::size_t k) {
    coordinates[k] = coordinate_json(report, shown[k].index, shown[k].reason, positions, bands);
  });
  JsonWriter json;
  json.open('{').key("chains").count(draws.chains).key("draws").count(draws.draws);
  json.key("dimension").count(report.found.rows.size());
  json.key("gates").open('{').key("rhat").number(rhat_gate).key("ess");
  json.number(ess_gate(draws.chains)).close('}');
  write_outline(json, report.outline, shown);
  write_points(json, draws, positions);
  Dual(report, positions).write(json, shown);
  write_strip(json, report.found.rows);
  write_acceptance(json, report);
  write_history(json, report.record);
  json.key("coordinates").open('[');
  for (const std::string& coordinate : coordinates) {
    json.raw(coordinate);
  }
  return json.close(']').close('}').take();
}

}  // namespace tain::report
