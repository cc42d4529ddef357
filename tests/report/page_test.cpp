#include "tain/report/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tain {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Page, EscapesEveryText) {
  const std::string bad = "<i>&";
  Page page(bad, bad);
  page.section(bad);
  page.paragraph(bad);
  page.list({bad});
  page.definitions({{bad, bad}});
  page.passages({{bad, bad, Badge{Mark::bad, bad}, {bad, bad, bad, bad, bad}}});
  page.table({bad, {{bad}, {bad}}, {{bad, Badge{Mark::good, bad}}}});
  page.figures({{Figure{.title = bad, .subtitle = bad, .x = {bad}, .y = {bad}}, bad}});
  page.command(bad);
  EXPECT_THAT(page.html(), Not(HasSubstr("<i>")));
}

TEST(Page, SectionsAreInTheContentsUnderNamesOfTheirOwn) {
  Page page("t", "l");
  page.section("Step sizes, twice");
  page.section("Step sizes: twice");
  page.section("Γ");
  const std::string html = page.html();
  for (const char* anchor : {"step-sizes-twice", "step-sizes-twice-again", "section"}) {
    EXPECT_THAT(html, HasSubstr("<li><a href=\"#" + std::string(anchor) + "\">"));
    EXPECT_THAT(html, HasSubstr("<h2 id=\"" + std::string(anchor) + "\">"));
  }
}

TEST(Page, LongPassagesKeepTheRestBehindAClick) {
  const auto html = [](std::size_t sentences) {
    Page page("t", "l");
    page.passages({{"claim", "source", std::nullopt, std::vector<std::string>(sentences, "so")}});
    return page.html();
  };
  EXPECT_THAT(html(4), Not(HasSubstr("<details>")));
  EXPECT_THAT(html(5), HasSubstr("<summary>2 more</summary>"));
  EXPECT_THAT(html(0), Not(HasSubstr("<ul>")));
}

TEST(Page, TablesHaveScopesAndFillShortRows) {
  Page page("t", "l");
  page.table({"c", {{"a"}, {"b", Align::right}}, {{"x"}}});
  EXPECT_THAT(page.html(),
              HasSubstr("<th scope=\"col\">a</th><th scope=\"col\" class=\"number\">b</th>"));
  EXPECT_THAT(page.html(),
              HasSubstr("<tr><th scope=\"row\">x</th><td class=\"number\"></td></tr>"));
}

TEST(Page, BadgesSpeakInWords) {
  Page page("t", "l");
  page.table({"c", {{"a"}, {"b"}}, {{"x", Badge{Mark::mixed, "holds in part"}}}});
  EXPECT_THAT(page.html(), HasSubstr("class=\"badge mixed\""));
  EXPECT_THAT(page.html(), HasSubstr("</span>holds in part</span>"));
}

}  // namespace
}  // namespace tain
