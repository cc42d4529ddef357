#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "report/text.hpp"
#include "reproduce/lda_lines.hpp"
#include "reproduce/lda_page.hpp"

namespace tain {
namespace {

constexpr std::string_view figure_1b = "paper, section 5.2, figure 1b";
constexpr std::string_view figure_2b = "paper, appendix H.2, figure 2b";
constexpr std::string_view beyond = "beyond the paper";

std::optional<LdaLine> best_line(const LdaStudy& study, std::string_view method,
                                 std::uint32_t topics) {
  std::vector<LdaLine> lines = lines_of(study.best, method, topics);
  if (lines.empty() || lines.front().points.empty()) {
    return std::nullopt;
  }
  return std::move(lines.front());
}

/// The line that the paper compares with: SGRLD with its published step, else the best one.
std::optional<LdaLine> papers_line(const LdaStudy& study, std::string_view method,
                                   std::uint32_t topics) {
  for (LdaLine& line : lines_of(study.best, method, topics)) {
    if (method == "sgrld" && line.step_size == published_sgrld_step && !line.points.empty()) {
      return std::move(line);
    }
  }
  return best_line(study, method, topics);
}

std::string at_look(const LdaMean& point) {
  return measured(point.average, point.error) + " after " + grouped(point.documents) + " documents";
}

/// Where `a` stands against `b`, look by look.
struct Contest {
  Contest(const LdaLine& first, const LdaLine& second) : a(first), b(second) {
    for (std::size_t i = 0; i < std::min(a.points.size(), b.points.size()); ++i) {
      const LdaGap gap = gap_at(a, b, i), reverse = gap_at(b, a, i);
      ++looks;
      below += gap.mean > 0 ? 1 : 0;
      clearly += gap.clear() ? 1 : 0;
      clearly_above += reverse.clear() ? 1 : 0;
      least = std::min(least, gap.error > 0 ? gap.mean / gap.error : 0);
      ends_clearly = gap.clear();
      ends_clearly_above = reverse.clear();
    }
  }
  const LdaLine &a, &b;
  std::size_t looks = 0, below = 0, clearly = 0, clearly_above = 0;
  double least = std::numeric_limits<double>::infinity();  // gap in standard errors
  bool ends_clearly = false, ends_clearly_above = false;

  std::string text() const {
    const std::string name_a = method_name(a.method), name_b = method_name(b.method);
    return fmt::format(
        "{} (a = {}) is below {} (a = {}) at {} of {} looks, clearly at {}, and clearly above it "
        "at {}; the least lead is {:.1f} standard errors ({} runs each).",
        name_a, compact(a.step_size), name_b, compact(b.step_size), below, looks, clearly,
        clearly_above, least, a.runs.size());
  }
  std::string ends() const {
    const std::size_t last = looks - 1;
    return fmt::format(
        "First look: {} {} against {}; last look: {} against {}.", method_name(a.method),
        at_look(a.points.front()), measured(b.points.front().average, b.points.front().error),
        at_look(a.points[last]), measured(b.points[last].average, b.points[last].error));
  }
};

/// "SGRLD's last perplexity is reached after 20,000 of 100,000 documents and in 3.1 s of 15 s."
std::string head_start(const LdaLine& a, const LdaLine& b) {
  const LdaMean& last = b.points.back();
  const LdaMean* found = first_below(a, last.average);
  if (found == nullptr) {
    return fmt::format("{} does not get to the last perplexity of {}, {}.", method_name(a.method),
                       method_name(b.method), measured(last.average, last.error));
  }
  return fmt::format(
      "{} gets to the last perplexity of {}, {}, after {} documents instead of {}, and in {} of "
      "one core instead of {}.",
      method_name(a.method), method_name(b.method), measured(last.average, last.error),
      grouped(found->documents), grouped(last.documents), duration(found->seconds),
      duration(last.seconds));
}

StudyFinding no_data(std::string claim, std::string_view source, Exhibit exhibit) {
  return {std::move(claim),
          std::string(source),
          std::nullopt,
          {"The study holds no finished runs of both."},
          exhibit};
}

/// A claim of the paper that its method is lower at every look.
StudyFinding always_lower(const LdaStudy& study, std::string claim, std::string_view source,
                          std::string_view other, std::uint32_t topics, Exhibit exhibit) {
  const auto a = best_line(study, paper_method, topics), b = papers_line(study, other, topics);
  if (!a || !b) {
    return no_data(std::move(claim), source, exhibit);
  }
  const Contest contest(*a, *b);
  const Holds holds = contest.clearly == contest.looks ? Holds::yes
                      : contest.clearly > 0            ? Holds::partly
                                                       : Holds::no;
  StudyFinding finding{std::move(claim),
                       std::string(source),
                       holds,
                       {contest.text(), contest.ends(), head_start(*a, *b)},
                       exhibit};
  std::size_t winners = 0;
  const std::vector<LdaLine> lines = lines_of(study.best, paper_method, topics);
  for (const LdaLine& line : lines) {
    const Contest own(line, *b);
    winners += own.looks > 0 && own.clearly == own.looks ? 1 : 0;
  }
  finding.sentences.push_back(
      fmt::format("Of the {} best step sizes of {}, {} are clearly below {} at every look.",
                  lines.size(), method_name(paper_method), winners, method_name(other)));
  return finding;
}

StudyFinding lower_level(const LdaStudy& study) {
  std::string claim = "SMLD-approximate saturates at a lower level than SGRLD.";
  const auto a = best_line(study, paper_method, study.plan.topics),
             b = papers_line(study, "sgrld", study.plan.topics);
  if (!a || !b) {
    return no_data(std::move(claim), figure_1b, Exhibit::paper);
  }
  const Contest contest(*a, *b);
  const LdaGap gap = gap_at(*a, *b, contest.looks - 1);
  const bool below = gap.mean > 0;
  return {std::move(claim),
          std::string(figure_1b),
          contest.ends_clearly ? Holds::yes
          : below              ? Holds::partly
                               : Holds::no,
          {fmt::format("At the last look SGRLD lies {} above SMLD-approximate{}.",
                       measured(gap.mean, gap.error),
                       contest.ends_clearly         ? ""
                       : contest.ends_clearly_above ? ": it is the lower one"
                                                    : ", which is within the errors"),
           "Neither has saturated after one pass; what is compared is the level reached."},
          Exhibit::paper};
}

/// A question: how another method stands against the paper's.
StudyFinding question(const LdaStudy& study, std::string_view method) {
  std::string claim = fmt::format("Is {} lower than SMLD-approximate?", method_name(method));
  const auto a = best_line(study, method, study.plan.topics),
             b = best_line(study, paper_method, study.plan.topics);
  if (!a || !b) {
    return no_data(std::move(claim), beyond, Exhibit::samplers);
  }
  const Contest contest(*a, *b);
  return {std::move(claim),
          std::string(beyond),
          std::nullopt,
          {contest.text(), contest.ends(), head_start(*a, *b)},
          Exhibit::samplers};
}

/// The paper searches its own step sizes and takes SGRLD's from its authors: what if both are
/// searched?
StudyFinding searched(const LdaStudy& study, std::uint32_t topics, Exhibit exhibit) {
  std::string claim = fmt::format(
      "Is SMLD-approximate lower than SGRLD with the best of its grid too, {} topics?", topics);
  const auto a = best_line(study, paper_method, topics), b = best_line(study, "sgrld", topics);
  if (!a || !b) {
    return no_data(std::move(claim), beyond, exhibit);
  }
  const Contest contest(*a, *b);
  return {std::move(claim),
          std::string(beyond),
          std::nullopt,
          {contest.text(), contest.ends(), head_start(*a, *b), head_start(*b, *a)},
          exhibit};
}

StudyFinding edges(const LdaStudy& study) {
  StudyFinding finding{"Do the grids contain the best step sizes?",
                       std::string(beyond),
                       std::nullopt,
                       {},
                       Exhibit::step_sizes};
  for (const LdaGrid& grid : study.plan.grids) {
    const auto curves = ranked(study.grid, grid.method, grid.topics);
    if (curves.empty() || grid.steps.empty()) {
      continue;
    }
    const double best = curves.front()->key.step_size;
    const auto broken = std::ranges::count_if(
        curves, [](const LdaCurve* curve) { return !curve->trouble.empty(); });
    const bool edge = best == grid.steps.front() || best == grid.steps.back();
    finding.sentences.push_back(fmt::format(
        "{}, {} topics: best a = {} of {} step sizes from {} to {}, {}{}.",
        method_name(grid.method), grid.topics, compact(best), grid.steps.size(),
        compact(grid.steps.front()), compact(grid.steps.back()),
        edge ? "at the edge of the grid: a better one may lie beyond" : "inside the grid",
        broken > 0 ? fmt::format("; {} broke down", broken) : ""));
  }
  return finding;
}

/// The lowest line within the seconds that the fastest of all takes.
StudyFinding fastest(const LdaStudy& study) {
  StudyFinding finding{"Which method is lowest for the same time of one core?",
                       std::string(beyond),
                       std::nullopt,
                       {},
                       Exhibit::seconds};
  double budget = std::numeric_limits<double>::infinity();
  std::vector<LdaLine> lines;
  for (const LdaGrid& grid : study.plan.grids) {
    if (auto line = grid.topics == study.plan.topics ? best_line(study, grid.method, grid.topics)
                                                     : std::nullopt) {
      budget = std::min(budget, line->points.back().seconds);
      lines.push_back(*std::move(line));
    }
  }
  std::vector<std::pair<double, std::string>> results;
  for (const LdaLine& line : lines) {
    const LdaMean* reached = nullptr;
    for (const LdaMean& point : line.points) {
      reached = point.seconds <= budget ? &point : reached;
    }
    if (reached != nullptr) {
      results.emplace_back(reached->average,
                           fmt::format("{}: {}", line_name(line), at_look(*reached)));
    } else {
      results.emplace_back(std::numeric_limits<double>::infinity(),
                           fmt::format("{}: no look within that time", line_name(line)));
    }
  }
  std::ranges::sort(results);
  if (!results.empty()) {
    finding.sentences.push_back(
        fmt::format("After {} of one core, lowest first:", duration(budget)));
  }
  for (auto& [average, text] : results) {
    finding.sentences.push_back(std::move(text) + ".");
  }
  return finding;
}

}  // namespace

std::vector<StudyFinding> find_in(const LdaStudy& study) {
  const std::uint32_t all = study.plan.topics, half = std::max(all / 2, 1U);
  std::vector<StudyFinding> findings{
      always_lower(study, "SMLD-approximate converges faster than SGRLD.", figure_1b, "sgrld", all,
                   Exhibit::paper),
      lower_level(study),
      always_lower(study, "With half the topics SMLD-approximate leads over SGRLD at any stage.",
                   figure_2b, "sgrld", half, Exhibit::sgrhmc),
      always_lower(study, "With half the topics SMLD-approximate is lower than SGRHMC.", figure_2b,
                   "sgrhmc", half, Exhibit::sgrhmc)};
  findings.push_back(searched(study, all, Exhibit::paper));
  findings.push_back(searched(study, half, Exhibit::sgrhmc));
  for (const std::string_view method : {"scir", "smld-root", "smld-preconditioned"}) {
    findings.push_back(question(study, method));
  }
  findings.push_back(fastest(study));
  findings.push_back(edges(study));
  return findings;
}

}  // namespace tain
