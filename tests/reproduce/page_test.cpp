// The page of a study says what the study says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "made_up_study.hpp"
#include "report/text.hpp"
#include "reproduce/synthetic_page.hpp"

namespace tain::page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

const SyntheticStudy& study() {
  static const SyntheticStudy made_up = made_up_study();
  return made_up;
}
const StudyFindings& findings() {
  static const StudyFindings found = find_in(study());
  return found;
}

std::string page(SyntheticStudy made_up, const StudyFindings& found, const std::string& command) {
  made_up.command = command;
  return page_of(synthetic_chapter(made_up, found));
}

TEST(SyntheticPage, HasEveryFindingBesideItsFigures) {
  const std::string html = page(study(), findings(), "tain reproduce");
  ASSERT_FALSE(findings().findings.empty());
  for (const StudyFinding& finding : findings().findings) {
    EXPECT_THAT(html, HasSubstr("<h3>" + escaped(finding.claim) + "</h3>"));
    for (const std::string& sentence : finding.sentences) {
      EXPECT_THAT(html, HasSubstr("<li>" + escaped(sentence) + "</li>"));
    }
    if (finding.holds) {  // in the table of claims and as a badge of the passage
      EXPECT_GE(count_of(html, "</span>" + std::string(holds_text(*finding.holds)) + "</span>"),
                2u);
    }
  }
  EXPECT_EQ(count_of(html, "<figure>"), 12u);
  EXPECT_THAT(html, Not(HasSubstr("No data to show.")));
  EXPECT_LT(html.size(), 2'000'000u);
}

TEST(SyntheticPage, CountsTheClaims) {
  StudyFindings found;
  const auto lead = [&] { return page(study(), found, ""); };
  EXPECT_THAT(lead(), HasSubstr("No claim of the paper could be judged."));
  found.findings = {{"a", "s", Holds::yes, {}}, {"b", "s", std::nullopt, {}}};
  EXPECT_THAT(lead(), HasSubstr("Of 1 claims of the paper, 1 holds."));
  found.findings.push_back({"c", "s", Holds::no, {}});
  found.findings.push_back({"d", "s", Holds::no, {}});
  EXPECT_THAT(lead(), HasSubstr("Of 3 claims of the paper, 1 holds and 2 do not hold."));
  found.findings.push_back({"e", "s", Holds::partly, {}});
  EXPECT_THAT(lead(),
              HasSubstr("Of 4 claims of the paper, 1 holds, 1 holds in part and 2 do not hold."));
}

TEST(SyntheticPage, TabulatesTheBestCurvesAndTheirSlopes) {
  const std::string html = page(study(), findings(), "");
  for (const Curve& curve : study().best) {
    for (const CurvePoint& point : curve.points) {
      for (const std::uint64_t t : {10, 100, 1000, 10'000}) {
        for (std::size_t m = 0; point.iteration == t && m < 4; ++m) {
          EXPECT_THAT(html, HasSubstr(measured(point.distance[m], point.error[m]))) << t;
        }
      }
    }
  }
  ASSERT_FALSE(findings().slopes.empty());
  for (const SlopeFit& fit : findings().slopes) {
    EXPECT_THAT(html, HasSubstr(measured(fit.slope, fit.error)));
  }
  EXPECT_THAT(html, HasSubstr("T = 10,000"));
}

TEST(SyntheticPage, SaysHowItWasMeasured) {
  SyntheticStudy other = study();
  other.plan.chains = 1'234'567;
  other.plan.grid_chains = 76'543;
  other.plan.further_chains = 54'321;
  other.plan.seed = 987'654;
  other.plan.mld_steps = {0.0625};
  other.seconds = 11'520;
  other.threads = 96;
  const std::string html = page(other, findings(), "tain reproduce --output=\"a & b\" <x>");
  for (const char* part : {"1,234,567", "76,543", "54,321", "987654", "0.0625", "3 h 12 min",
                           "96 threads", "a corner &lt;nobody&gt; observed &amp; more",
                           "--output=&quot;a &amp; b&quot; &lt;x&gt;", "10,000, 10, 10, 0, 0"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST(SyntheticFigures, ShowTheStudy) {
  const auto figures = synthetic_figures(study(), findings());
  EXPECT_EQ(figures.size(), 12u);
  std::set<std::string> names;
  for (const auto& [name, text] : figures) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(name.ends_with(".svg")) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."), std::string::npos);
    EXPECT_THAT(text, HasSubstr("exact draws</text>")) << name;
    EXPECT_THAT(text, HasSubstr("SGRLD")) << name;
  }
  // a figure is of its own coordinate and binning: other distances there change it, and no other
  SyntheticStudy other = study();
  for (Curve& curve : other.best) {
    curve.points.back().distance[2] *= 1.5;
  }
  const auto changed = synthetic_figures(other, findings());
  for (std::size_t k = 0; k < figures.size(); ++k) {
    EXPECT_EQ(figures[k].second != changed[k].second, figures[k].first == "best-coordinate-8.svg")
        << figures[k].first;
  }
}

TEST(SyntheticFigures, MarkTheStepSizeOfTheTheory) {
  for (const auto& [name, text] : synthetic_figures(study(), findings())) {
    EXPECT_EQ(text.find("1/L = 2/(N + Γ) = " + compact(2 / synthetic_posterior().total())) !=
                  std::string::npos,
              name.starts_with("step-sizes"))
        << name;
  }
}

TEST(SyntheticPage, OfAStoppedStudyShowsWhatThereIs) {
  EXPECT_TRUE(synthetic_figures({}, {}).empty());
  EXPECT_THAT(page({}, {}, "again"), HasSubstr("<code>again</code>"));
  SyntheticStudy begun = study();
  begun.grid.clear();
  begun.best.clear();
  begun.further.clear();
  EXPECT_EQ(count_of(page(begun, {}, ""), "No data to show."), 12u);
}

}  // namespace
}  // namespace tain::page_test
