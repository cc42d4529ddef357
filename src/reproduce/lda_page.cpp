#include "reproduce/lda_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/text.hpp"
#include "reproduce/lda_exhibits.hpp"
#include "reproduce/lda_lines.hpp"

namespace tain {
namespace {

constexpr std::array<StudySection, 5> sections = {{
    {Exhibit::paper, "The paper's experiment",
     "The five best step sizes of SMLD-approximate, and SGRLD with the step size that its authors "
     "report, as in the paper, and with the best of its own grid."},
    {Exhibit::sgrhmc, "Against SGRHMC",
     "The paper compares with figures that others report; here SGRHMC runs on the same documents."},
    {Exhibit::samplers, "Further methods",
     "SCIR (Baker, Fearnhead, Fox and Nemeth 2018), which has no discretisation error, and two "
     "mirrored schemes of our own: SMLD-root and SMLD-preconditioned."},
    {Exhibit::seconds, "Against time", "Documents differ in price from method to method."},
    {Exhibit::step_sizes, "Step sizes",
     "Every method has its own unit of step size, so each has a grid of its own."},
}};

std::string lead(const LdaStudy& study, const std::vector<StudyFinding>& findings) {
  return fmt::format(
      "The topic models of the paper on mirrored Langevin dynamics (Hsieh, Kavis, Rolland and "
      "Cevher, NeurIPS 2018, section 5.2 and appendix H.2), trained again on {} documents with a "
      "vocabulary of {} words. {}",
      grouped(study.corpus.training_documents), grouped(study.corpus.words),
      count_of_claims(findings));
}

/// Looks of a table: the first, then doubling, and the last.
std::vector<std::size_t> table_looks(std::size_t looks) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 1; i < looks; i *= 2) {
    chosen.push_back(i - 1);
  }
  if (looks > 0) {
    chosen.push_back(looks - 1);
  }
  return chosen;
}

Table table_of(const LdaStudy& study, std::uint32_t topics) {
  const auto every = study.plan.every;
  const std::vector<std::size_t> looks = table_looks(study.corpus.documents_seen / every);
  Table table{fmt::format("Perplexity (running average), {} topics", topics), {{"Curve"}}, {}};
  for (const std::size_t look : looks) {
    table.columns.push_back(
        {fmt::format("{} documents", grouped((look + 1) * every)), Align::right});
  }
  table.columns.push_back({"Seconds of one core", Align::right});
  for (const LdaGrid& grid : study.plan.grids) {
    for (const LdaLine& line : grid.topics == topics ? lines_of(study.best, grid.method, topics)
                                                     : std::vector<LdaLine>()) {
      std::vector<Cell> row{line_name(line)};
      for (const std::size_t look : looks) {
        row.push_back(look < line.points.size()
                          ? measured(line.points[look].average, line.points[look].error)
                          : "–");
      }
      row.push_back(line.points.empty() ? "–" : compact(line.points.back().seconds));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string grids_text(const LdaStudy& study) {
  std::string text;
  for (const LdaGrid& grid : study.plan.grids) {
    text += fmt::format("{}{}, {} topics: {}", text.empty() ? "" : "; ", method_name(grid.method),
                        grid.topics, steps_text(grid.steps));
  }
  return text + ".";
}

std::string starts_text(const LdaStudy& study) {
  std::string scales;
  for (const LdaGrid& grid : study.plan.grids) {
    if (grid.first_weight != 1) {
      scales += fmt::format("{}{} for {} with {} topics", scales.empty() ? "" : ", ",
                            compact(grid.first_weight), method_name(grid.method), grid.topics);
    }
  }
  return fmt::format(
      "Every weight is e^(ξ/10), ξ normal, as about in Patterson and Teh (2013){}.",
      scales.empty() ? ""
                     : fmt::format(", times {}: the posterior's scale, tokens of a topic per word "
                                   "of the vocabulary, because that method leaves sums alone while "
                                   "the others find theirs; its weights are max{{½, 1 + y}}, half "
                                   "a token at least",
                                   scales));
}

std::string troubles_text(const LdaStudy& study) {
  std::string text;
  for (const std::vector<LdaCurve>* curves : {&study.grid, &study.best}) {
    for (const LdaCurve& curve : *curves) {
      if (!curve.trouble.empty()) {
        text += fmt::format("{}{} with {} topics, a = {}, seed {}: {}", text.empty() ? "" : "; ",
                            method_name(curve.key.method), curve.key.topics,
                            compact(curve.key.step_size), curve.key.seed, curve.trouble);
      }
    }
  }
  return text.empty() ? "None." : text + ".";
}

void add_method(const LdaStudy& study, Page& page) {
  const LdaStudySettings& plan = study.plan;
  page.section("How it was measured", Page::Depth::some);
  page.definitions({
      {"Corpus",
       fmt::format("{} documents, {} tokens, {} words; {} documents are held out, {} are trained "
                   "on, of which every curve sees {}.",
                   grouped(study.corpus.documents), grouped(study.corpus.tokens),
                   grouped(study.corpus.words), grouped(plan.held_out),
                   grouped(study.corpus.training_documents), grouped(study.corpus.documents_seen))},
      {"Perplexity",
       "Every 10th token of a held-out document is predicted from the others: the document's "
       "topics come from 20 Gibbs sweeps, 10 of them kept. The running average takes the mean "
       "probability of a token over all looks so far before the logarithm, as Patterson and Teh "
       "(2013) do."},
      {"Looks", fmt::format("Every {} documents.", grouped(plan.every))},
      {"Model",
       fmt::format("α = {} per topic, η = {} per word.", compact(plan.alpha), compact(plan.eta))},
      {"Start", starts_text(study)},
      {"Steps", fmt::format("Batches of {} documents, step size a (1 + t/{})^−{} at step t.",
                            plan.batch, compact(plan.decay_start, 6), compact(plan.decay_power))},
      {"Sweeps",
       fmt::format("{} Gibbs sweeps over a batch, half of them kept. The paper's setting takes up "
                   "to 200: a deviation, for time.",
                   plan.sweeps)},
      {"Grid", grids_text(study)},
      {"Selection",
       "The least mean of log perplexity (running average) over all looks, on one seed; then run "
       "again with other seeds, which alone are compared."},
      {"Error bars",
       fmt::format("Standard errors over {} {}; the held-out documents are the same for all.",
                   plan.runs, plan.runs == 1 ? "run: none" : "runs")},
      {"Clearly",
       "By more than three standard errors of the mean difference, run by run: runs of "
       "one seed see the documents in one order, whatever the method."},
      {"Broken down", troubles_text(study)},
      {"Time", fmt::format("{} on {} {}; seconds in figures are those of one core, evaluations not "
                           "counted.",
                           duration(study.seconds), study.threads,
                           study.threads == 1 ? "thread" : "threads")},
      {"Seed", std::to_string(plan.seed)},
  });
}

void add_study(const LdaStudy& study, const std::vector<StudyFinding>& findings, Page& page) {
  add_glance(findings, page);
  const std::vector<StudyFigure> figures = study_figures(study);
  for (const StudySection& section : sections) {
    add_section(section, findings, figures, page);
  }
  page.section("Numbers", Page::Depth::some);
  page.table(table_of(study, study.plan.topics));
  page.table(table_of(study, std::max(study.plan.topics / 2, 1U)));
  add_method(study, page);
  if (!study.command.empty()) {
    page.section("Repeat it");
    page.command(study.command);
  }
}

}  // namespace

Chapter lda_chapter(const LdaStudy& study, const std::vector<StudyFinding>& findings) {
  return {"Mirrored Langevin dynamics for topic models", lead(study, findings),
          [study, findings](Page& page) { add_study(study, findings, page); }};
}

std::vector<std::pair<std::string, std::string>> lda_figures(const LdaStudy& study) {
  return figure_files(study_figures(study));
}

}  // namespace tain
