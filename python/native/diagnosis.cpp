#include "diagnosis.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/parallel.hpp"
#include "tain/core/error.hpp"
#include "tain/sampling/run.hpp"
#include "unlocked.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

struct Column {
  const char* name;
  double SummaryRow::* value;
};
constexpr Column table[] = {{"mean", &SummaryRow::mean},
                            {"mcse", &SummaryRow::mcse_mean},
                            {"sd", &SummaryRow::sd},
                            {"q5", &SummaryRow::q5},
                            {"q50", &SummaryRow::q50},
                            {"q95", &SummaryRow::q95},
                            {"ess_bulk", &SummaryRow::ess_bulk},
                            {"ess_tail", &SummaryRow::ess_tail},
                            {"rhat", &SummaryRow::rhat},
                            {"nested_rhat", &SummaryRow::nested_rhat},
                            {"pareto_k", &SummaryRow::pareto_k}};

/// Columns by name, in the order of the table.
py::dict columns(const Diagnosis& found) {
  py::dict dict;
  for (const auto& [name, value] : table) {
    std::vector<double> column;
    for (const SummaryRow& row : found.rows) {
      column.push_back(row.*value);
    }
    const auto size = static_cast<py::ssize_t>(column.size());
    dict[name] = owned_array(std::move(column), {size});
  }
  return dict;
}

std::vector<std::string> names(const Diagnosis& found) {
  std::vector<std::string> list;
  for (const SummaryRow& row : found.rows) {
    list.push_back(row.name);
  }
  return list;
}

Diagnosis diagnose_array(const Doubles& draws, std::vector<std::string> names,
                         std::size_t threads) {
  const auto dim = static_cast<std::size_t>(draws.shape(2));
  if (names.empty()) {
    names = coordinate_names({}, dim);
  }
  const auto chains = static_cast<std::size_t>(draws.shape(0));
  const auto each = static_cast<std::size_t>(draws.shape(1));
  const std::span<const double> values = values_of(draws);
  const Unlocked release;
  Threads pool(threads);
  return diagnose({.chains = chains, .draws = each, .names = names, .values = values},
                  {.total_draws = chains * each, .foreign = true, .adjusted_unknown = true}, pool);
}

Diagnosis diagnose_files(const std::vector<std::string>& files, std::size_t threads) {
  const Unlocked release;
  return read_run({files.begin(), files.end()}, threads, DualPart::skip).diagnosis();
}

}  // namespace

py::dict verdict_dict(const Verdict& verdict) {
  py::list lines;
  for (const VerdictLine& line : verdict.lines) {
    lines.append(py::make_tuple(line.passed, line.sentence, line.note));
  }
  py::dict dict;
  dict["trust"] = verdict.trust;
  dict["headline"] = verdict.headline;
  dict["lines"] = lines;
  return dict;
}

void bind_diagnosis(py::module_& m) {
  py::class_<Diagnosis>(m, "Diagnosis")
      .def_property_readonly("names", names)
      .def("columns", columns)
      .def("table",
           [](const Diagnosis& f, std::size_t max_rows, std::size_t width) {
             return format_table(f.rows, f.chains, {.max_rows = max_rows, .columns = width});
           })
      .def("verdict", [](const Diagnosis& f) { return verdict_dict(f.verdict); });
  m.def("diagnose_array", diagnose_array);
  m.def("diagnose_files", diagnose_files);
}

}  // namespace tain::python
