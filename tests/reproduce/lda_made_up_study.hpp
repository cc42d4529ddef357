// A study of topic models nobody ran: curves that fall like 1 / (1 + documents / 10,000).
#pragma once

#include <algorithm>
#include <cstdlib>

#include "reproduce/lda.hpp"

namespace tain {

/// Level a curve ends at; runs of a seed share a shift, as runs on one order of documents do.
inline LdaCurve made_up_lda_curve(const LdaStudySettings& plan, const LdaCurveKey& key,
                                  double level) {
  LdaCurve curve{key, {}, {}};
  for (std::uint64_t documents = plan.every; documents <= plan.documents; documents += plan.every) {
    const double shared = 10.0 * static_cast<double>(key.seed % 7);
    const double own = 0.5 * static_cast<double>((key.seed * 7 + curve.points.size()) % 3) +
                       1e-3 * static_cast<double>(key.method.size() * key.seed % 11);
    const double average =
        level + 1000 / (1 + static_cast<double>(documents) / 10'000) + shared + own;
    curve.points.push_back(
        {documents, 1e-4 * static_cast<double>(documents), average + 100, average});
  }
  return curve;
}

/// Where a method ends with its best step, the one in the middle of its grid.
inline double made_up_level(const std::string& method) {
  return method == "smld-root"          ? 1200
         : method == "smld-approximate" ? 1300
         : method == "scir"             ? 1350
         : method == "sgrld"            ? 1400
                                        : 1500;
}

inline LdaStudy made_up_lda_study() {
  LdaStudy study;
  study.plan = LdaStudySettings::full();
  study.plan.documents = 20'000;
  study.corpus = {.fingerprint = 12345,
                  .documents = 21'000,
                  .tokens = 4'200'000,
                  .words = 7702,
                  .training_documents = 20'000,
                  .documents_seen = 20'000};
  study.seconds = 3725;
  study.threads = 2;
  for (const LdaGrid& grid : study.plan.grids) {
    for (std::size_t i = 0; i < grid.steps.size(); ++i) {
      const std::size_t middle = grid.steps.size() / 2;
      const double off = static_cast<double>(i > middle ? i - middle : middle - i);
      const double level = made_up_level(grid.method) + 20 * off;
      study.grid.push_back(made_up_lda_curve(
          study.plan, {grid.method, grid.topics, grid.steps[i], study.plan.seed}, level));
      if (off <= (grid.method == paper_method ? 2 : 0)) {
        for (std::uint64_t run = 1; run <= study.plan.runs; ++run) {
          study.best.push_back(made_up_lda_curve(
              study.plan, {grid.method, grid.topics, grid.steps[i], study.plan.seed + run}, level));
        }
      }
    }
  }
  // best first, as a study has them
  std::ranges::stable_sort(study.best, {}, [&](const LdaCurve& curve) {
    const auto grid = std::ranges::find_if(study.plan.grids, [&](const LdaGrid& g) {
      return g.method == curve.key.method && g.topics == curve.key.topics;
    });
    return std::pair(
        grid - study.plan.grids.begin(),
        std::abs(std::ranges::find(grid->steps, curve.key.step_size) -
                 (grid->steps.begin() + static_cast<std::ptrdiff_t>(grid->steps.size() / 2))));
  });
  return study;
}

}  // namespace tain
