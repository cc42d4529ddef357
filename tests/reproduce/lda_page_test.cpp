// The page of a study of topic models says what the study says.
#include "reproduce/lda_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "lda_made_up_study.hpp"
#include "report/text.hpp"
#include "reproduce/lda_lines.hpp"

namespace tain::lda_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const StudyFinding& about(const std::vector<StudyFinding>& findings, const std::string& part) {
  for (const StudyFinding& finding : findings) {
    if (finding.claim.find(part) != std::string::npos) {
      return finding;
    }
  }
  ADD_FAILURE() << "no finding about " << part;
  return findings.front();
}

void shift(LdaStudy& study, std::string_view method, double by, std::size_t from_look = 0) {
  for (LdaCurve& curve : study.best) {
    for (std::size_t i = from_look; curve.key.method == method && i < curve.points.size(); ++i) {
      curve.points[i].average += by;
    }
  }
}

TEST(LdaLines, AreMeansOverRunsWithTheirStandardErrors) {
  LdaStudySettings plan;
  plan.documents = plan.every;
  std::vector<LdaCurve> curves;
  for (const double level : {1.0, 2.0, 6.0}) {
    LdaCurve curve{{"sgrld", 100, 0.1, curves.size() + 2}, {{5000, level, 0, 100 * level}}, {}};
    curves.push_back(curve);
  }
  const std::vector<LdaLine> lines = lines_of(curves, "sgrld", 100);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_DOUBLE_EQ(lines[0].points[0].average, 300);
  EXPECT_DOUBLE_EQ(lines[0].points[0].seconds, 3);
  // variance (200^2 + 100^2 + 300^2) / 2 = 70,000, of the mean a third
  EXPECT_DOUBLE_EQ(lines[0].points[0].error, std::sqrt(70'000.0 / 3));
  EXPECT_TRUE(lines_of(curves, "sgrld", 50).empty());
}

TEST(LdaLines, GapsAreTakenRunByRun) {
  std::vector<LdaCurve> a, b;
  for (std::uint64_t seed : {2, 3, 4}) {
    const double shared = 1000.0 * static_cast<double>(seed);
    a.push_back({{"a", 10, 1, seed}, {{5000, 1, 0, shared}}, {}});
    b.push_back({{"b", 10, 1, seed}, {{5000, 1, 0, shared + static_cast<double>(seed)}}, {}});
  }
  const LdaLine first = lines_of(a, "a", 10)[0], second = lines_of(b, "b", 10)[0];
  const LdaGap gap = gap_at(first, second, 0);
  EXPECT_DOUBLE_EQ(gap.mean, 3);
  EXPECT_NEAR(gap.error, 1 / std::sqrt(3.0), 1e-12);
  EXPECT_TRUE(gap.clear());
  EXPECT_FALSE(gap_at(second, first, 0).clear());
  a.resize(1);  // one run has no error and settles nothing
  EXPECT_FALSE(gap_at(lines_of(a, "a", 10)[0], second, 0).clear());
}

TEST(LdaFindings, HoldWhereTheMethodIsBelowAtEveryLook) {
  LdaStudy study = made_up_lda_study();
  const auto verdict = [&](const std::string& part) { return about(find_in(study), part).holds; };
  EXPECT_EQ(verdict("faster than SGRLD"), Holds::yes);
  EXPECT_EQ(verdict("lower level than SGRLD"), Holds::yes);
  EXPECT_EQ(verdict("SGRHMC"), Holds::yes);
  shift(study, "sgrld", -300, 3);  // crosses before the end
  EXPECT_EQ(verdict("faster than SGRLD"), Holds::partly);
  EXPECT_EQ(verdict("lower level than SGRLD"), Holds::no);
  shift(study, "sgrld", -300);
  EXPECT_EQ(verdict("faster than SGRLD"), Holds::no);
  EXPECT_EQ(verdict("SGRHMC"), Holds::yes);
  EXPECT_FALSE(about(find_in(study), "SCIR").holds.has_value());
}

TEST(LdaFindings, TakeThePublishedStepForThePapersClaimAndTheBestForTheQuestion) {
  LdaStudy study = made_up_lda_study();
  std::vector<LdaCurve> better;
  for (LdaCurve& curve : study.best) {
    if (curve.key.method == "sgrld") {
      better.push_back(curve);
      curve.key.step_size = published_sgrld_step;
    }
  }
  for (LdaCurve& curve : better) {  // the grid's best, in front, is below SMLD-approximate
    curve.key.step_size = 0.004;
    for (LdaPoint& point : curve.points) {
      point.average -= 300;
    }
  }
  study.best.insert(study.best.begin(), better.begin(), better.end());
  EXPECT_EQ(about(find_in(study), "faster than SGRLD").holds, Holds::yes);
  const StudyFinding question = about(find_in(study), "with the best of its grid too, 100");
  EXPECT_FALSE(question.holds.has_value());
  EXPECT_THAT(question.sentences[0], HasSubstr("SGRLD (a = 0.004) at 0 of 4 looks"));
}

TEST(LdaFindings, SayByHowMuchAndHowSoon) {
  const std::vector<StudyFinding> findings = find_in(made_up_lda_study());
  const StudyFinding& faster = about(findings, "faster than SGRLD");
  EXPECT_THAT(faster.sentences[0], HasSubstr("at 4 of 4 looks, clearly at 4"));
  // SGRLD ends at 1400 + 1000/3 = 1733; 1300 + 1000/(1 + x) is below from x = 1.31 on
  EXPECT_THAT(faster.sentences[2], HasSubstr("after 15,000 documents instead of 20,000"));
  EXPECT_THAT(faster.sentences[2], HasSubstr("1.5 s of one core instead of 2.0 s"));
  EXPECT_THAT(faster.sentences[3], HasSubstr("Of the 5 best step sizes"));
  EXPECT_THAT(about(findings, "same time").sentences[1], HasSubstr("SMLD-root"));
}

TEST(LdaFindings, SayWhereAGridIsTooNarrow) {
  LdaStudy study = made_up_lda_study();
  EXPECT_THAT(about(find_in(study), "grids").sentences,
              testing::Each(Not(HasSubstr("at the edge"))));
  for (LdaCurve& curve : study.grid) {
    if (curve.key.method == "scir" && curve.key.step_size == study.plan.grids[2].steps.front()) {
      curve.points.front().average = 1;
    }
    if (curve.key.method == "sgrhmc" &&
        curve.key.step_size == study.plan.grids.back().steps.back()) {
      curve.trouble = "step 3: broke";
    }
  }
  EXPECT_THAT(about(find_in(study), "grids").sentences,
              testing::Contains(testing::AllOf(HasSubstr("SCIR"), HasSubstr("at the edge"))));
  EXPECT_THAT(about(find_in(study), "grids").sentences.back(),
              HasSubstr("SGRHMC, 50 topics: best a = 0.01 of 7 step sizes from 0.001 to 0.1, "
                        "inside the grid; 1 broke down."));
}

TEST(LdaFindings, AreThereForStudiesThatHoldNothing) {
  LdaStudy study = made_up_lda_study();
  study.best.clear();
  study.grid.clear();
  for (const StudyFinding& finding : find_in(study)) {
    EXPECT_FALSE(finding.holds.has_value()) << finding.claim;
  }
  EXPECT_THAT(page_of(lda_chapter(study, find_in(study))), HasSubstr("No claim of the paper"));
}

TEST(LdaPage, HasEveryFindingFigureAndNumber) {
  LdaStudy study = made_up_lda_study();
  study.grid.back().trouble = "step 7: the weights <of> topic 3 sum to 0";
  const std::vector<StudyFinding> findings = find_in(study);
  study.command = "tain reproduce lda \"a & b\"";
  const std::string html = page_of(lda_chapter(study, findings));
  for (const StudyFinding& finding : findings) {
    EXPECT_THAT(html, HasSubstr("<h3>" + escaped(finding.claim) + "</h3>"));
    for (const std::string& sentence : finding.sentences) {
      EXPECT_THAT(html, HasSubstr("<li>" + escaped(sentence) + "</li>"));
    }
  }
  for (const LdaLine& line : lines_of(study.best, paper_method, 100)) {
    EXPECT_THAT(html, HasSubstr(measured(line.points.back().average, line.points.back().error)));
  }
  for (const char* part : {"7,702 words", "1 h 2 min", "2 threads", "&quot;a &amp; b&quot;",
                           "&lt;of&gt; topic 3", "Of 4 claims of the paper, 4 hold."}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_THAT(html, Not(HasSubstr("No data to show.")));
  EXPECT_LT(html.size(), 1'000'000u);
}

TEST(LdaFigures, HaveNamesOfTheirOwnAndTheMethodsTheyShow) {
  std::set<std::string> names;
  for (const auto& [name, text] : lda_figures(made_up_lda_study())) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(name.ends_with(".svg")) << name;
    EXPECT_THAT(text, HasSubstr("SGRLD")) << name;
    EXPECT_EQ(text.find("SGRHMC") != std::string::npos,
              name == "smld-approximate-sgrhmc.svg" || name == "step-sizes-50.svg")
        << name;
  }
  EXPECT_EQ(names.size(), 6u);
}

}  // namespace
}  // namespace tain::lda_page_test
