// The summary as people read it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/display.hpp"
#include "diagnose/finding.hpp"
#include "tain/diagnose/summary.hpp"

namespace tain {
namespace {

int leading_digit(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

// So many significant digits; powers of ten only where zeros would crowd the number out.
std::string with_digits(double value, int digits) {
  if (std::isnan(value)) {
    return "-";
  }
  if (value == 0) {
    return "0";
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  const int leading = leading_digit(value);
  if (leading < -4 || leading > 6) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - leading));
}

// Significant digits of the mean that its error leaves: the last one printed is the first one that
// the MCSE touches.
int digits_of_mean(const SummaryRow& row) {
  constexpr int usual = 3, most = 15;
  if (!(row.mcse_mean > 0) || row.mean == 0) {
    return usual;
  }
  return std::clamp(leading_digit(row.mean) - leading_digit(row.mcse_mean) + 1, 1, most);
}

std::string whole(double ess) {
  return std::isnan(ess) ? "-" : fmt::format("{:.0f}", std::floor(ess));
}

struct Column {
  std::string_view title;
  std::string (*text)(const SummaryRow&);
  /// Does a gate reject this value? None: there is no gate.
  bool (*rejected)(const SummaryRow&, double least_ess) = nullptr;
};
// Quantiles and sd get as many digits as the mean, at least 3.
int digits_of_rest(const SummaryRow& row) { return std::max(3, digits_of_mean(row)); }

constexpr std::array columns_of_table = {
    Column{"name", [](const SummaryRow& r) { return r.name; }},
    Column{"mean", [](const SummaryRow& r) { return with_digits(r.mean, digits_of_mean(r)); }},
    Column{"mcse", [](const SummaryRow& r) { return with_digits(r.mcse_mean, 2); }},
    Column{"sd", [](const SummaryRow& r) { return with_digits(r.sd, 3); }},
    Column{"q5", [](const SummaryRow& r) { return with_digits(r.q5, digits_of_rest(r)); }},
    Column{"q50", [](const SummaryRow& r) { return with_digits(r.q50, digits_of_rest(r)); }},
    Column{"q95", [](const SummaryRow& r) { return with_digits(r.q95, digits_of_rest(r)); }},
    Column{"ess_bulk", [](const SummaryRow& r) { return whole(r.ess_bulk); },
           [](const SummaryRow& r, double least) { return !(r.ess_bulk >= least); }},
    Column{"ess_tail", [](const SummaryRow& r) { return whole(r.ess_tail); },
           [](const SummaryRow& r, double least) { return !(r.ess_tail >= least); }},
    Column{"rhat",
           [](const SummaryRow& r) {
             return std::isnan(r.rhat) ? std::string("-")
                                       : diagnostics::beside(r.rhat, rhat_gate, 3);
           },
           [](const SummaryRow& r, double) { return !converged(r); }},
};
// Given up in this order where the table is too wide.
constexpr std::array<std::string_view, 6> least_wanted = {"q50", "mcse",     "q5",
                                                          "q95", "ess_tail", "sd"};
constexpr std::size_t gap = 2;

// Rows to show: all in order, or the worst: undefined R-hat first, then large ones, constants last.
std::vector<std::size_t> chosen_rows(const std::vector<SummaryRow>& rows, std::size_t max_rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  if (rows.size() <= max_rows) {
    return order;
  }
  const auto badness = [&](std::size_t i) {
    const SummaryRow& row = rows[i];
    if (row.sd == 0) {
      return -1.0;
    }
    return std::isnan(row.rhat) ? INFINITY : row.rhat;
  };
  std::ranges::stable_sort(order, std::greater<>(), badness);
  order.resize(max_rows);
  return order;
}

struct Cells {
  const Column* column;
  std::vector<std::string> texts;  // title first
};
using Table = std::vector<Cells>;

std::size_t width_of(const Cells& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells.texts) {
    width = std::max(width, display_width(cell));
  }
  return width;
}

std::size_t total_width(const Table& cells) {
  std::size_t total = gap * (cells.size() - 1);
  for (const Cells& column : cells) {
    total += width_of(column);
  }
  return total;
}

// Drops columns, then cuts names, until the table fits.
void fit(Table& cells, std::size_t columns) {
  for (const std::string_view title : least_wanted) {
    if (total_width(cells) <= columns) {
      return;
    }
    std::erase_if(cells, [&](const Cells& cell) { return cell.column->title == title; });
  }
  constexpr std::size_t shortest_name = 6;
  const std::size_t total = total_width(cells), names = width_of(cells.front());
  if (total > columns) {
    const std::size_t excess = total - columns;
    const std::size_t room =
        names > excess ? std::max(names - excess, shortest_name) : shortest_name;
    for (std::string& name : cells.front().texts) {
      name = cut_to_width(name, room);
    }
  }
}

}  // namespace

std::string format_table(const std::vector<SummaryRow>& rows, std::size_t chains,
                         const TextStyle& style) {
  const std::vector<std::size_t> chosen = chosen_rows(rows, style.max_rows);
  Table table;
  for (const Column& column : columns_of_table) {
    table.push_back({&column, {std::string(column.title)}});
    for (const std::size_t i : chosen) {
      table.back().texts.push_back(column.text(rows[i]));
    }
  }
  fit(table, style.columns);
  std::string text;
  for (std::size_t line = 0; line <= chosen.size(); ++line) {
    const std::string& name = table.front().texts[line];
    std::string cells = name + std::string(width_of(table.front()) - display_width(name), ' ');
    for (std::size_t k = 1; k < table.size(); ++k) {
      const auto& [column, texts] = table[k];
      const bool rejected = line > 0 && column->rejected &&
                            column->rejected(rows[chosen[line - 1]], ess_gate(chains));
      cells += std::string(gap + width_of(table[k]) - texts[line].size(), ' ') +
               (rejected ? style.painted(texts[line], Paint::bad) : texts[line]);
    }
    text += (line == 0 ? style.painted(cells, Paint::strong) : cells) + '\n';
  }
  if (chosen.size() < rows.size()) {
    text += fmt::format(
        "{} more left out: {} the largest R-hat.\n", rows.size() - chosen.size(),
        chosen.size() == 1 ? "this one has" : fmt::format("these {} have", chosen.size()));
  }
  return text;
}

}  // namespace tain
