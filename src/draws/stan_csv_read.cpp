// Reads Stan CSV: ours, CmdStan's, and what users cut out of either.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "draws/formats.hpp"
#include "draws/stan_names.hpp"
#include "tain/core/error.hpp"

namespace tain::draws {
namespace {

enum class Column { skip, coordinate, acceptance, diverging, log_density, chain };

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Takes the text up to the separator off the front of rest.
std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

std::optional<double> to_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) {  // which from_chars does not know
    text.remove_prefix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {  // rounds to zero or infinity, as elsewhere
    return std::strtod(std::string(text).c_str(), nullptr);
  }
  return value;
}

template <class T>
void assign_number(T& value, std::string_view text) {
  std::from_chars(text.data(), text.data() + text.size(), value);
}

class StanCsv {
 public:
  explicit StanCsv(std::string_view name) : name_(name) {}

  DrawsFile parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::string_view line = trimmed(take_until(text, '\n'));
      if (line.starts_with('#')) {
        comment(line.substr(1));
      } else if (!line.empty()) {
        columns_.empty() ? header(line) : row(line);
      }
    }
    return finish();
  }

 private:
  [[noreturn]] void broken(std::string_view problem, std::string_view remedy = {}) const {
    fail(Fault::data, fmt::format("{}:{}", name_, line_), problem, remedy);
  }

  void comment(std::string_view text) {
    if (trimmed(text) == "Adaptation terminated") {  // CmdStan: what came before is warm-up
      drop_rows();
      return;
    }
    std::string_view value = text;
    const std::string_view key = trimmed(take_until(value, '='));
    value = trimmed(value);
    DrawsInfo& info = file_.info;
    if (key == "map") {
      info.map = value;
    } else if (key == "target") {
      info.target = value;
    } else if (key == "kernel") {
      info.kernel = value;
    } else if (key == "stop_reason") {
      info.stop_reason = value;
    } else if (key == "request") {
      info.request = value;
    } else if (key == "step_size" || key == "Step size") {
      assign_number(info.step_size, value);
    } else if (key == "seed") {
      assign_number(info.seed, value);
    } else if (key == "thin") {
      double thin = 1;
      assign_number(thin, value);
      info.thin = thin >= 1 && thin < 1e15 ? static_cast<std::uint64_t>(thin) : 0;
    }
  }

  void header(std::string_view line) {
    while (!line.empty()) {
      const std::string_view column = trimmed(take_until(line, ','));
      if (column.empty() || to_number(column)) {
        broken(fmt::format("'{}' is no column name", column),
               "the first line that is no comment must name the columns");
      }
      if (!column.ends_with("__")) {
        file_.names.push_back(bracket_name(column));
      }
      columns_.push_back(kind_of(column));
    }
    if (file_.names.empty()) {
      broken("no columns but the sampler's own");
    }
  }

  Column kind_of(std::string_view column) {
    if (!column.ends_with("__")) {
      return Column::coordinate;
    }
    if (column == "accept_stat__") {
      return Column::acceptance;
    }
    if (column == "divergent__") {
      return Column::diverging;
    }
    if (column == "lp__") {
      return Column::log_density;
    }
    return column == "chain__" ? Column::chain : Column::skip;
  }

  void row(std::string_view line) {
    std::size_t field = 0;
    for (bool more = true; more; ++field) {
      more = line.find(',') != std::string_view::npos;
      const std::string_view text = trimmed(take_until(line, ','));
      if (field == columns_.size()) {
        broken(fmt::format("more than the {} fields the header names", columns_.size()));
      }
      if (columns_[field] == Column::skip) {
        continue;
      }
      const std::optional<double> value = to_number(text);
      if (!value) {
        broken(fmt::format("field {} is '{}', not a number", field + 1, text.substr(0, 40)));
      }
      keep(columns_[field], *value);
    }
    if (field != columns_.size()) {
      broken(fmt::format("{} fields, the header names {}", field, columns_.size()),
             "was the file cut?");
    }
    if (file_.chains == 0) {  // no chain__ before: all rows are one chain
      start_chain(1);
    }
    ++rows_;
  }

  void keep(Column column, double value) {
    switch (column) {
      case Column::coordinate:
        file_.values.push_back(value);
        return;
      case Column::acceptance:
        file_.acceptance.push_back(value);
        return;
      case Column::diverging:
        file_.diverging.push_back(value);
        return;
      case Column::log_density:
        file_.log_density.push_back(value);
        return;
      case Column::chain:
        if (file_.chains == 0 || value != chain_) {
          start_chain(value);
        }
        return;
      case Column::skip:
        return;
    }
  }

  void start_chain(double chain) {
    if (!(chain >= 1) || (file_.chains > 0 && chain < chain_)) {
      broken(fmt::format("chain__ is {}", chain), "chains must be in ascending order from 1");
    }
    require_full_chain();
    chain_ = chain;
    ++file_.chains;
    chain_start_ = rows_;
  }

  // All chains are as long as the first.
  void require_full_chain() {
    if (file_.chains == 1) {
      file_.draws = rows_;
    } else if (file_.chains > 1 && rows_ - chain_start_ != file_.draws) {
      broken(fmt::format("chain {} has {} draws, the first has {}", file_.chains,
                         rows_ - chain_start_, file_.draws),
             "was the file cut?");
    }
  }

  void drop_rows() {
    file_.values.clear();
    file_.acceptance.clear();
    file_.diverging.clear();
    file_.log_density.clear();
    file_.chains = 0;
    rows_ = 0;
  }

  DrawsFile finish() {
    if (columns_.empty()) {
      broken("no header line", "is this a Stan CSV file?");
    }
    require_full_chain();
    if (rows_ == 0) {
      broken("no draws");
    }
    return std::move(file_);
  }

  std::string_view name_;
  std::size_t line_ = 0;
  std::vector<Column> columns_;
  DrawsFile file_;
  std::uint64_t rows_ = 0;
  std::uint64_t chain_start_ = 0;
  double chain_ = 0;
};

}  // namespace

DrawsFile parse_stan_csv(std::string_view text, std::string_view name) {
  return StanCsv(name).parse(text);
}

}  // namespace tain::draws
