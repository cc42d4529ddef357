#include "lda/model/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace tain {
namespace {

constexpr std::size_t fewest_for_trend = 4, most_for_trend = 20;

void archive_row(Archive& a, Evaluation& row) {
  for (std::uint64_t* count :
       {&row.step, &row.documents, &row.tokens_drawn, &row.averaged, &row.draws_kept}) {
    a.field(*count);
  }
  for (double* number : {&row.single.value, &row.single.standard_error, &row.average.value,
                         &row.average.standard_error, &row.time.seconds, &row.time.training_seconds,
                         &row.time.cpu_seconds}) {
    a.field(*number);
  }
}

/// Parts between separators; an end of line before the end of the text is one.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// Puts the text of a column in its place; false if it is no number.
bool read_cell(std::string_view name, std::string_view text, Evaluation& row) {
  const std::array<std::pair<std::string_view, std::uint64_t*>, 5> counts{
      {{"step", &row.step},
       {"docs", &row.documents},
       {"averaged", &row.averaged},
       {"draws_kept", &row.draws_kept},
       {"tokens_drawn", &row.tokens_drawn}}};
  const std::array<std::pair<std::string_view, double*>, 7> numbers{
      {{"seconds", &row.time.seconds},
       {"perplexity", &row.single.value},
       {"perplexity_average", &row.average.value},
       {"standard_error", &row.single.standard_error},
       {"standard_error_average", &row.average.standard_error},
       {"training_seconds", &row.time.training_seconds},
       {"cpu_seconds", &row.time.cpu_seconds}}};
  for (const auto& [column, place] : counts) {
    if (column == name) {
      return read_number(text, *place);
    }
  }
  for (const auto& [column, place] : numbers) {
    if (column == name) {
      return read_number(text, *place);
    }
  }
  return true;
}

}  // namespace

std::optional<History> History::parse(std::string_view csv) {
  const std::size_t end = csv.find('\n');
  const std::vector<std::string_view> columns = split(csv.substr(0, end), ',');
  const std::string own = History().csv();
  for (const std::string_view column :
       split(std::string_view(own).substr(0, own.size() - 1), ',')) {
    if (std::ranges::find(columns, column) == columns.end()) {
      return std::nullopt;
    }
  }
  History history;
  csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
  for (const std::string_view line : split(csv, '\n')) {
    if (line.empty()) {
      continue;
    }
    const std::vector<std::string_view> cells = split(line, ',');
    Evaluation row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (cells.size() != columns.size() || !read_cell(columns[i], cells[i], row)) {
        return std::nullopt;
      }
    }
    if (!history.rows_.empty() && history.rows_.back().documents >= row.documents) {
      return std::nullopt;
    }
    history.add(row);
  }
  return history;
}

std::string History::csv() const {
  std::string text =
      "step,docs,seconds,perplexity,perplexity_average,standard_error,standard_error_average,"
      "averaged,draws_kept,tokens_drawn,training_seconds,cpu_seconds\n";
  for (const Evaluation& row : rows_) {
    text += fmt::format("{},{},{:.3f},{},{},{},{},{},{},{},{:.3f},{:.3f}\n", row.step,
                        row.documents, row.time.seconds, row.single.value, row.average.value,
                        row.single.standard_error, row.average.standard_error, row.averaged,
                        row.draws_kept, row.tokens_drawn, row.time.training_seconds,
                        row.time.cpu_seconds);
  }
  return text;
}

void History::archive(Archive& a) {
  std::uint64_t count = rows_.size();
  a.field(count);
  if (a.reading()) {
    rows_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {  // one by one: a wrong count runs into the end
      archive_row(a, rows_.emplace_back());
    }
    a.require(std::ranges::is_sorted(rows_, {}, &Evaluation::step) &&
                  std::ranges::is_sorted(rows_, {}, &Evaluation::documents),
              "has a history that goes back");
    return;
  }
  for (Evaluation& row : rows_) {
    archive_row(a, row);
  }
}

Trend perplexity_trend(std::span<const Evaluation> all) {
  // Where sampling takes over from the descent, perplexity may jump once: that is no trend.
  const auto first =
      std::ranges::find_if(all, [](const Evaluation& row) { return row.tokens_drawn > 0; });
  const auto sampled = static_cast<std::size_t>(all.end() - first);
  const std::span<const Evaluation> rows = sampled >= fewest_for_trend ? all.last(sampled) : all;
  const std::size_t n = std::clamp(rows.size() / 2, fewest_for_trend, most_for_trend);
  if (rows.size() < n) {
    return {.evaluations = rows.size()};
  }
  const std::span<const Evaluation> last = rows.last(n);
  const double middle = 0.5 * static_cast<double>(n - 1);
  double mean = 0, squares = 0, products = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) - middle, y = std::log(last[i].single.value);
    mean += y / static_cast<double>(n);
    squares += x * x;
    products += x * y;
  }
  const double slope = products / squares;
  double residuals = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double line = mean + slope * (static_cast<double>(i) - middle);
    residuals += std::pow(std::log(last[i].single.value) - line, 2);
  }
  return {n, slope, std::sqrt(residuals / static_cast<double>(n - 2) / squares)};
}

bool still_falling(const Trend& trend) {
  return trend.evaluations >= fewest_for_trend && trend.outlook() < -0.01 &&
         trend.slope < -3 * trend.slope_error;
}

}  // namespace tain
