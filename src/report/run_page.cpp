#include "report/run_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "diagnose/finding.hpp"
#include "report/run_widget.hpp"
#include "report/text.hpp"
#include "run/kernel_table.hpp"

namespace tain {
namespace {

// ---- verdict -----------------------------------------------------------------------------------

/// "Fact; what it means or what to do." as a heading and a sentence.
Passage gate_passage(const VerdictLine& line) {
  const std::size_t mark = line.sentence.find("; ");
  Passage passage;
  passage.badge = line.note     ? Badge{Mark::mixed, "Note"}
                  : line.passed ? Badge{Mark::good, "Passed"}
                                : Badge{Mark::bad, "Failed"};
  passage.heading = line.sentence.substr(0, mark);
  if (mark != std::string::npos) {
    std::string rest = line.sentence.substr(mark + 2);
    rest.front() = rest.front() >= 'a' && rest.front() <= 'z'
                       ? static_cast<char>(rest.front() - 'a' + 'A')
                       : rest.front();
    passage.sentences.push_back(line.passed ? rest : "What to do: " + rest);
  }
  return passage;
}

void add_verdict(Page& page, const RunReport& report) {
  page.section("Can these draws be trusted?");
  std::vector<VerdictLine> lines = report.found.verdict.lines;
  const auto failed = std::ranges::count(lines, false, &VerdictLine::passed);
  const auto judged = std::ranges::count(lines, false, &VerdictLine::note);
  const std::string gates = counted(static_cast<std::uint64_t>(judged), "gate");
  page.passages({{.heading = report.found.verdict.headline,
                  .source = failed == 0 ? fmt::format("all {} passed", gates)
                                        : fmt::format("{} of {} failed", failed, gates),
                  .badge = Badge{report.found.verdict.trust ? Mark::good : Mark::bad,
                                 report.found.verdict.trust ? "Yes" : "No"},
                  .sentences = {}}});
  std::ranges::stable_sort(lines, {}, &VerdictLine::passed);  // failures first
  std::vector<Passage> passages;
  std::ranges::transform(lines, std::back_inserter(passages), gate_passage);
  page.passages(passages);
}

// ---- table -------------------------------------------------------------------------------------

/// The last digit of a mean is the first that its error touches.
int digits_of(const SummaryRow& row) {
  if (!(row.mcse_mean > 0) || row.mean == 0 || !std::isfinite(row.mean)) {
    return 4;
  }
  return std::clamp(leading_digit(row.mean) - leading_digit(row.mcse_mean) + 1, 2, 12);
}

Cell gated(double value, const std::string& text, bool passed) {
  if (std::isnan(value)) {
    return "–";
  }
  return passed ? Cell(text) : Cell(Badge{Mark::bad, text});
}

std::vector<Cell> table_row(const SummaryRow& row, double ess_wanted) {
  const int digits = digits_of(row), rest = std::max(3, digits);
  const auto ess = [&](double value) {
    return gated(
        value,
        std::isfinite(value) ? grouped(static_cast<std::uint64_t>(std::max(0.0, value))) : "–",
        value >= ess_wanted);
  };
  return {row.name,
          compact(row.mean, digits),
          compact(row.mcse_mean, 2),
          compact(row.sd, 3),
          compact(row.q5, rest),
          compact(row.q50, rest),
          compact(row.q95, rest),
          ess(row.ess_bulk),
          ess(row.ess_tail),
          gated(row.rhat, diagnostics::beside(row.rhat, rhat_gate, 3), converged(row))};
}

/// All in order, or the worst by R-hat: undefined ones first, constants last.
std::vector<std::size_t> rows_of_table(const std::vector<SummaryRow>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  if (rows.size() > table_rows) {
    const auto badness = [&](std::size_t i) {
      return rows[i].sd == 0 ? -1.0 : std::isnan(rows[i].rhat) ? INFINITY : rows[i].rhat;
    };
    std::ranges::stable_sort(order, std::greater<>(), badness);
    order.resize(table_worst);
  }
  return order;
}

void add_table(Page& page, const RunReport& report) {
  page.section("Summary");
  const double ess_wanted = ess_gate(report.draws.chains);
  page.paragraph(fmt::format(
      "Means have the digits that their Monte Carlo standard error (MCSE) leaves. ESS is how many "
      "independent draws would estimate the centre (bulk) and the 5 % and 95 % quantiles (tail) as "
      "well; {:.0f} are asked for. R-hat compares the chains and is to be below {}.",
      ess_wanted, rhat_gate));
  Table table{.caption = "Summary of every coordinate",
              .columns = {{"name"},
                          {"mean", Align::right},
                          {"MCSE", Align::right},
                          {"sd", Align::right},
                          {"5 %", Align::right},
                          {"median", Align::right},
                          {"95 %", Align::right},
                          {"bulk ESS", Align::right},
                          {"tail ESS", Align::right},
                          {"R-hat", Align::right}},
              .rows = {}};
  const std::vector<std::size_t> shown = rows_of_table(report.found.rows);
  if (shown.size() < report.found.rows.size()) {
    table.caption = fmt::format("The {} coordinates of {} with the largest R-hat", shown.size(),
                                grouped(report.found.rows.size()));
    page.paragraph(fmt::format(
        "Of {} coordinates, the {} with the largest R-hat are shown; the verdict looked at all.",
        grouped(report.found.rows.size()), shown.size()));
  }
  for (const std::size_t i : shown) {
    table.rows.push_back(table_row(report.found.rows[i], ess_wanted));
  }
  page.table(table);
}

// ---- plots -------------------------------------------------------------------------------------

void add_plots(Page& page, const RunReport& report, Threads& threads) {
  page.section("The chains");
  if (report.found.rows.size() > shown_coordinates) {
    page.paragraph(fmt::format(
        "{} of {} coordinates have plots: in turn those with the worst R-hat, the lowest bulk and "
        "tail ESS, and the largest standard deviation.",
        shown_coordinates, grouped(report.found.rows.size())));
  }
  page.widget("draws",
              fmt::format("Plots of {} by coordinate",
                          counted(report.draws.chains * report.draws.draws, "draw")),
              report::run_widget(report, threads));
}

// ---- record ------------------------------------------------------------------------------------

using Definitions = std::vector<std::pair<std::string, std::string>>;

void add_text(Definitions& items, const char* term, const std::string& text) {
  if (!text.empty()) {
    items.emplace_back(term, text);
  }
}

std::string step_size_text(const RunSummary& done) {
  if (!(done.tuning.step_size > 0)) {
    return "";
  }
  return compact(done.tuning.step_size, 4) +
         (done.history.empty() ? "" : ", found in warm-up from the acceptance");
}

/// Three digits are what a clock tells: "897,000".
std::string rate_text(double rate) {
  if (!(rate >= 1) || rate > 1e15) {
    return compact(rate, 3);
  }
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(rate)) - 2));
  return grouped(static_cast<std::uint64_t>(std::round(rate / unit) * unit));
}

std::string time_text(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.0f} ms", 1000 * seconds) : duration(seconds);
}

Definitions method_items(const RunReport& report) {
  const RunRecord& record = report.record;
  const SamplePlan& plan = record.plan;
  const RunSummary& done = record.done;
  const Draws& draws = report.draws;
  Definitions items;
  add_text(items, "Target", record.target);
  add_text(items, "Set and map", map_text(record.map));
  add_text(items, "Kernel", plan.kernel);
  add_text(items, "Step size", step_size_text(done));
  const KernelRow* kernel = find_kernel(plan.kernel);
  if (done.tuning.trajectory_length > 0 && kernel && kernel->has(Has::trajectories)) {
    add_text(items, "Trajectory length", compact(done.tuning.trajectory_length, 3));
  }
  const bool ours = !plan.kernel.empty();
  items.emplace_back(
      "Chains and draws",
      fmt::format("{} of {}{}{}", counted(draws.chains, "chain"), counted(draws.draws, "draw"),
                  ours && plan.warmup > 0
                      ? fmt::format(" after {} of warm-up", counted(plan.warmup, "step"))
                      : "",
                  done.thin > 1 ? fmt::format(", one every {} steps", done.thin) : ""));
  if (!draws.diverging.empty()) {
    items.emplace_back("Divergences", grouped(done.divergences));
  }
  add_text(items, "Seed", ours ? std::to_string(plan.seed) : "");
  if (done.gradients > 0) {
    items.emplace_back(
        "Gradients",
        grouped(done.gradients) +
            (done.seconds > 0
                 ? fmt::format(", {} per second", rate_text(double(done.gradients) / done.seconds))
                 : ""));
  }
  if (done.seconds > 0) {
    items.emplace_back("Time", fmt::format("{} ({} of cores)", time_text(done.seconds),
                                           time_text(done.cpu_seconds)));
  }
  add_text(items, "Started", record.started);
  add_text(items, "Ended", record.ended.empty() ? "" : record.ended + ", " + record.stop_reason);
  return items;
}

Definitions file_items(const RunRecord& record) {
  Definitions items;
  add_text(items, "Draws", fmt::format("{}", fmt::join(record.files, ", ")));
  for (const auto& [path, hash] : record.inputs) {
    items.emplace_back("Input", fmt::format("{} (FNV-1a {})", path, hash));
  }
  std::string made = record.version.empty() ? "" : "tain " + record.version;
  for (const std::string& part : {record.isa, record.compiler}) {
    made += part.empty() ? "" : ", " + part;
  }
  add_text(items, "Made by", made);
  add_text(items, "To cite",
           "Y.-P. Hsieh, A. Kavis, P. Rolland, V. Cevher: Mirrored Langevin Dynamics. Advances in "
           "Neural Information Processing Systems 31, 2018");
  return items;
}

void add_record(Page& page, const RunReport& report) {
  page.section("How the draws were made");
  page.definitions(method_items(report));
  if (!report.record.plan.command.empty()) {
    page.paragraph("The same draws again, to the last bit:");
    page.command(report.record.plan.command);
  }
  page.definitions(file_items(report.record));
}

}  // namespace

std::string run_title(const RunReport& report) {
  return report.record.target.empty()
             ? "Draws of " + counted(report.found.rows.size(), "coordinate")
             : "Draws from " + report.record.target;
}

std::string run_lead(const RunReport& report) {
  const Draws& draws = report.draws;
  const std::string& target = report.record.target;
  return fmt::format(
      "{} of a random walk drew {} points{}, which stand in for the distribution only if the walk "
      "has forgotten where it started and moves through all of it. {}",
      draws.chains == 1 ? "One chain" : grouped(draws.chains) + " independent chains",
      grouped(draws.chains * draws.draws), target.empty() ? "" : " from " + target,
      report.found.verdict.headline);
}

void add_run(Page& page, const RunReport& report, Threads& threads) {
  add_verdict(page, report);
  add_table(page, report);
  add_plots(page, report, threads);
  add_record(page, report);
}

}  // namespace tain
