#include "reproduce/lda_exhibits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/text.hpp"
#include "reproduce/lda_lines.hpp"

namespace tain {
namespace {

constexpr std::string_view perplexity_label = "held-out perplexity (running average)";
constexpr std::string_view documents_label = "documents seen";

std::size_t colour_of(std::string_view method) {
  constexpr std::array<std::string_view, 6> order{
      "smld-approximate", "sgrld", "smld-root", "sgrhmc", "scir", "smld-preconditioned"};
  const auto found = std::ranges::find(order, method);
  return found == order.end() ? 0 : static_cast<std::size_t>(found - order.begin());
}

Dash dash_of_line(std::size_t k) {
  return k == 0 ? Dash::solid : k % 2 == 1 ? Dash::dashed : Dash::dotted;
}

enum class LdaAxis { documents, seconds };

PlotLine series_of(const LdaLine& line, LdaAxis across, std::size_t rank) {
  PlotLine series{
      .label = line_name(line), .colour = colour_of(line.method), .dash = dash_of_line(rank)};
  for (const LdaMean& point : line.points) {
    series.x.push_back(across == LdaAxis::seconds ? point.seconds
                                                  : static_cast<double>(point.documents));
    series.y.push_back(point.average);
    series.error.push_back(point.error);
  }
  return series;
}

std::string setting_text(const LdaStudy& study, std::uint32_t topics) {
  return fmt::format("{} topics, batches of {}, mean of {} {}", topics, study.plan.batch,
                     study.plan.runs, study.plan.runs == 1 ? "run" : "runs");
}

/// The paper's five best step sizes and the best of each rival.
Figure against(const LdaStudy& study, std::uint32_t topics,
               std::initializer_list<std::string_view> rivals, std::string title) {
  Figure figure{.title = std::move(title),
                .subtitle = setting_text(study, topics),
                .x = {std::string(documents_label), AxisScale::linear},
                .y = {std::string(perplexity_label), AxisScale::linear}};
  const std::vector<LdaLine> own = lines_of(study.best, paper_method, topics);
  for (std::size_t k = 0; k < own.size(); ++k) {
    figure.series.push_back(series_of(own[k], LdaAxis::documents, k));
  }
  for (const std::string_view rival : rivals) {
    const std::vector<LdaLine> lines = lines_of(study.best, rival, topics);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      figure.series.push_back(series_of(lines[k], LdaAxis::documents, k));
    }
  }
  return figure;
}

Figure best_of_each(const LdaStudy& study, LdaAxis across) {
  Figure figure{
      .title =
          fmt::format("All methods against {}", across == LdaAxis::seconds ? "time" : "documents"),
      .subtitle = setting_text(study, study.plan.topics) + ", the best step size of each",
      .x = {across == LdaAxis::seconds ? "seconds of one core" : std::string(documents_label),
            across == LdaAxis::seconds ? AxisScale::logarithmic : AxisScale::linear},
      .y = {std::string(perplexity_label), AxisScale::linear}};
  for (const LdaGrid& grid : study.plan.grids) {
    const std::vector<LdaLine> lines = grid.topics == study.plan.topics
                                           ? lines_of(study.best, grid.method, grid.topics)
                                           : std::vector<LdaLine>();
    if (!lines.empty()) {
      figure.series.push_back(series_of(lines.front(), across, 0));
    }
  }
  return figure;
}

Figure step_sizes(const LdaStudy& study, std::uint32_t topics) {
  Figure figure{.title = fmt::format("What the step size does, {} topics", topics),
                .subtitle = fmt::format("one run each, after {} documents",
                                        grouped(study.corpus.documents_seen)),
                .x = {"first step size a", AxisScale::logarithmic},
                .y = {std::string(perplexity_label), AxisScale::linear}};
  for (const LdaGrid& grid : study.plan.grids) {
    if (grid.topics != topics) {
      continue;
    }
    PlotLine series{.label = method_name(grid.method), .colour = colour_of(grid.method)};
    for (const LdaCurve& curve : study.grid) {
      if (curve.key.method == grid.method && curve.key.topics == topics && curve.trouble.empty()) {
        series.x.push_back(curve.key.step_size);
        series.y.push_back(curve.points.back().average);
      }
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

}  // namespace

std::vector<StudyFigure> study_figures(const LdaStudy& study) {
  const std::uint32_t all = study.plan.topics, half = std::max(all / 2, 1U);
  return {
      {"smld-approximate-sgrld",
       Exhibit::paper,
       {against(study, all, {"sgrld"}, "SMLD-approximate and SGRLD"),
        "Perplexity of held-out tokens against documents seen; bars are standard errors over runs. "
        "The paper's figure 1b."}},
      {"smld-approximate-sgrhmc",
       Exhibit::sgrhmc,
       {against(study, half, {"sgrld", "sgrhmc"}, "SMLD-approximate, SGRLD and SGRHMC"),
        "The same with half the topics. The paper's figure 2b (appendix)."}},
      {"methods-documents",
       Exhibit::samplers,
       {best_of_each(study, LdaAxis::documents),
        "The step size that was best on the grid, for every method; bars are standard errors."}},
      {"methods-seconds",
       Exhibit::seconds,
       {best_of_each(study, LdaAxis::seconds),
        "The same runs against the time that one core spends on training."}},
      {fmt::format("step-sizes-{}", all),
       Exhibit::step_sizes,
       {step_sizes(study, all), "The whole grid, at the last look."}},
      {fmt::format("step-sizes-{}", half),
       Exhibit::step_sizes,
       {step_sizes(study, half), "The whole grid with half the topics, at the last look."}}};
}

}  // namespace tain
