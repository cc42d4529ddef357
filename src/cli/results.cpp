#include "results.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "tain/kernels/kernel.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

/// scir is exact, unless it ran on mini-batches.
bool is_whole_scir(const DrawsInfo& info) {
  const auto request = nlohmann::json::parse(info.request, nullptr, false);
  return info.kernel == "scir" && request.is_object() &&
         request.value("batch", nlohmann::json("full")) == "full";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;
       text.remove_prefix(end + 1)) {
    lines.emplace_back(text.substr(0, end));
  }
  return lines;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ')) != std::string_view::npos;) {
    line.remove_prefix(at);
    words.emplace_back(line.substr(0, line.find(' ')));
    line.remove_prefix(words.back().size());
  }
  return words;
}

/// Does the gate of its column reject this cell?
bool is_rejected(const std::string& title, const std::string& cell, double least_ess) {
  if (title != "rhat" && !title.starts_with("ess")) {
    return false;
  }
  double value = 0;
  if (std::from_chars(cell.data(), cell.data() + cell.size(), value).ec != std::errc()) {
    return cell == "-";  // not known
  }
  return title == "rhat" ? value > rhat_gate : value < least_ess;
}

/// A line of the table with the cells in red that a gate rejects. Names may have blanks, so cells
/// are counted from the right.
std::string painted_row(std::string line, const std::vector<std::string>& titles,
                        double least_ess) {
  std::string tail;
  for (auto title = titles.rbegin(); title != titles.rend(); ++title) {
    const std::size_t start = line.find_last_of(' ') + 1;
    const std::string cell = line.substr(start);
    if ((*title != "rhat" && !title->starts_with("ess")) || start == 0 || cell.empty()) {
      break;
    }
    const std::size_t blanks = line.find_last_not_of(' ', start - 1) + 1;
    tail = line.substr(blanks, start - blanks) +
           (is_rejected(*title, cell, least_ess) ? painted(cell, Paint::bad) : cell) + tail;
    line.resize(blanks);
  }
  return line + tail;
}

}  // namespace

RunFacts facts_of(const DrawsInfo& info, std::uint64_t total_draws,
                  std::span<const double> acceptance, std::span<const double> diverging) {
  RunFacts facts;
  facts.total_draws = total_draws;
  facts.divergences =
      static_cast<std::uint64_t>(std::ranges::count_if(diverging, [](double d) { return d != 0; }));
  const auto known = std::ranges::find(kernel_table(), info.kernel, &KernelEntry::name);
  const Bias bias = known == kernel_table().end() ? Bias::none : known->bias;
  facts.bias_unknown = bias == Bias::unknown && !is_whole_scir(info);
  if (bias == Bias::indicated && !acceptance.empty()) {
    // Unadjusted: the acceptance is what Metropolis would have accepted.
    facts.bias_indicator = std::accumulate(acceptance.begin(), acceptance.end(), 0.0) /
                           static_cast<double>(acceptance.size());
  }
  return facts;
}

Findings judge_draws(const DrawsFile& file, Threads& threads) {
  const RunFacts facts =
      facts_of(file.info, file.chains * file.draws, file.acceptance, file.diverging);
  Findings findings{
      summarise(file.values, file.chains, file.draws, file.names, threads), {}, file.chains};
  findings.verdict = judge(findings.rows, file.chains, file.draws, facts);
  return findings;
}

std::string verdict_text(const Verdict& verdict) {
  const Paint paint = verdict.trust ? Paint::good : Paint::bad;
  std::string text;
  for (const std::string& line : lines_of(format_verdict(verdict))) {
    if (line == verdict.headline) {
      text += painted(line, paint);
    } else {
      text += painted(line.substr(0, 4), line.starts_with("ok") ? Paint::good : Paint::bad) +
              line.substr(4);
    }
    text += '\n';
  }
  return text;
}

std::string findings_text(const Findings& findings, std::size_t max_rows) {
  std::string text;
  std::vector<std::string> titles;
  for (const std::string& line :
       lines_of(format_table(findings.rows, max_rows, terminal_columns()))) {
    if (titles.empty()) {
      titles = words_of(line);
      text += painted(line, Paint::strong);
    } else {
      text += painted_row(line, titles, ess_gate(findings.chains));
    }
    text += '\n';
  }
  return text + "\n" + verdict_text(findings.verdict);
}

nlohmann::ordered_json findings_json(const Findings& findings) {
  auto summary = nlohmann::ordered_json::array();
  for (const SummaryRow& row : findings.rows) {
    summary.push_back({{"name", row.name},
                       {"mean", row.mean},
                       {"mcse_mean", row.mcse_mean},
                       {"sd", row.sd},
                       {"q5", row.q5},
                       {"q50", row.q50},
                       {"q95", row.q95},
                       {"ess_bulk", row.ess_bulk},
                       {"ess_tail", row.ess_tail},
                       {"rhat", row.rhat}});
  }
  auto lines = nlohmann::ordered_json::array();
  for (const VerdictLine& line : findings.verdict.lines) {
    lines.push_back({{"passed", line.passed}, {"sentence", line.sentence}});
  }
  return {{"summary", summary},
          {"verdict",
           {{"trust", findings.verdict.trust},
            {"headline", findings.verdict.headline},
            {"lines", lines}}}};
}

}  // namespace tain::cli
