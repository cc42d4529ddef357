// Reports of runs: same bytes for any threads, bounded data, words where there is nothing to plot.
#include "report/run_page.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "maps/ball.hpp"
#include "maps/box.hpp"
#include "maps/simplex.hpp"
#include "random/noise.hpp"
#include "report/json_writer.hpp"
#include "report/run_coordinate.hpp"
#include "report/run_widget.hpp"
#include "targets/dirichlet.hpp"
#include "targets/gaussian.hpp"
#include "targets/uniform.hpp"

namespace tain::run_page_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// Draws that live as long as their report.
struct Example {
  std::vector<std::string> names;
  std::vector<double> values, acceptance, diverging, dual;
  RunReport report;
};

void finish(Example& e, std::size_t chains, std::size_t draws) {
  Threads threads(1);
  e.report.draws = {.chains = chains,
                    .draws = draws,
                    .names = e.names,
                    .values = e.values,
                    .acceptance = e.acceptance,
                    .diverging = e.diverging};
  e.report.found =
      diagnose(e.report.draws, {.divergences = 0, .total_draws = chains * draws}, threads);
}

/// Independent normals, coordinate i shifted by i and scaled by 1 + i.
Example normals(std::size_t chains, std::size_t draws, std::size_t dim) {
  Example e;
  const NoiseField noise(3);
  for (std::uint32_t c = 0; c < chains; ++c) {
    Stream stream(noise, Purpose::check, 0, c);
    for (std::size_t i = 0; i < draws * dim; ++i) {
      const auto k = static_cast<double>(i % dim);
      e.values.push_back(k + (1 + k) * stream.normal());
    }
  }
  for (std::size_t i = 1; i <= dim; ++i) {
    e.names.push_back("x[" + std::to_string(i) + "]");
  }
  e.acceptance.assign(chains * draws, 0.9);
  e.diverging.assign(chains * draws, 0.0);
  finish(e, chains, draws);
  return e;
}

Json widget_of(const RunReport& report, std::size_t num_threads = 1) {
  Threads threads(num_threads);
  return Json::parse(report::run_widget(report, threads));
}

/// The page without its style and its program, which are not this test's matter.
std::string page_of(const RunReport& report, std::size_t num_threads = 1) {
  Threads threads(num_threads);
  Page page(run_title(report), run_lead(report));
  add_run(page, report, threads);
  const std::string html = page.html();
  const std::size_t body = html.find("<body>");
  return html.substr(body, html.rfind("<script>") - body);
}

std::vector<float> floats(const std::string& base64) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<float> result;
  std::uint32_t bits = 0;
  std::string bytes;
  int count = 0;
  for (const char c : base64) {
    if (c == '=') {
      break;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 255);
    }
  }
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, 4);
    result.push_back(value);
  }
  return result;
}

TEST(JsonWriter, WritesWhatAParserReads) {
  report::JsonWriter json;
  json.open('{')
      .key("a\"\\\n\x01")
      .text("tab\t</script>")
      .key("n")
      .numbers(std::vector<double>{1, NAN, -0.5, INFINITY, 1e-300});
  json.key("empty").open('[').close(']').key("yes").truth(true).key("count").count(1ull << 60);
  const std::vector<double> values = {0, 1, -1.5, 1e30, NAN};
  json.key("packed").packed(values).close('}');
  const Json read = Json::parse(json.take());
  EXPECT_EQ(read["a\"\\\n\x01"], "tab\t</script>");
  EXPECT_EQ(read["n"].dump(), "[1,null,-0.5,null,1e-300]");
  EXPECT_EQ(read["count"].get<std::uint64_t>(), 1ull << 60);
  const std::vector<float> packed = floats(read["packed"]);
  ASSERT_EQ(packed.size(), values.size());
  EXPECT_EQ(packed[2], -1.5f);
  EXPECT_EQ(packed[3], 1e30f);
  EXPECT_TRUE(std::isnan(packed[4]));
}

TEST(RunPage, HasTheSameBytesForAnyNumberOfThreads) {
  const Example e = normals(3, 80, 20);
  const std::string one = page_of(e.report, 1);
  EXPECT_EQ(one, page_of(e.report, 2));
  EXPECT_EQ(one, page_of(e.report, 3));
}

TEST(RunPage, SaysTheVerdictAndWhatToDo) {
  Example good = normals(4, 500, 2);
  EXPECT_THAT(page_of(good.report), HasSubstr("Trust these draws."));
  EXPECT_THAT(page_of(good.report), HasSubstr("all 4 gates passed"));
  EXPECT_THAT(page_of(good.report), Not(HasSubstr("What to do")));
  Example bad = normals(4, 500, 2);
  for (std::size_t i = 0; i < 1000; i += 2) {
    bad.values[i] += 30;  // the first chain's first coordinate is elsewhere
  }
  finish(bad, 4, 500);
  const std::string page = page_of(bad.report);
  EXPECT_THAT(page, HasSubstr("Do not trust these draws"));
  EXPECT_THAT(page, HasSubstr("What to do: The chains disagree"));
  EXPECT_THAT(page, HasSubstr("class=\"badge bad\""));
}

TEST(RunPage, ShowsWhatIsKnownOfTheRunAndNothingElse) {
  Example e = normals(2, 50, 2);
  e.report.record.plan.kernel.clear();
  EXPECT_THAT(page_of(e.report), Not(HasSubstr("Seed")));
  e.report.record.plan.kernel = "hmc";
  e.report.record.plan.seed = 17;
  e.report.record.target = "gaussian(2)";
  e.report.record.plan.command = "tain sample --target gaussian && echo '<b>'";
  e.report.record.done.seconds = 2;
  e.report.record.done.gradients = 3000000;
  const std::string page = page_of(e.report);
  EXPECT_THAT(page, HasSubstr("<dt>Seed</dt><dd>17</dd>"));
  EXPECT_THAT(page, HasSubstr("Draws from gaussian(2)"));
  EXPECT_THAT(page, HasSubstr("gaussian &amp;&amp; echo &#39;&lt;b&gt;&#39;"));
  EXPECT_THAT(page, HasSubstr("3,000,000, 1,500,000 per second"));
}

TEST(RunPage, TableOfManyCoordinatesHasTheWorst) {
  const Example e = normals(2, 12, table_rows + 1);
  const std::string page = page_of(e.report);
  EXPECT_THAT(page, HasSubstr("The 100 coordinates of 201 with the largest R-hat"));
  std::size_t rows = 0;
  for (std::size_t at = page.find("<th scope=\"row\""); at != std::string::npos;
       at = page.find("<th scope=\"row\"", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, table_worst);
}

TEST(RunWidget, StaysSmallWhateverTheRun) {
  const Example e = normals(40, 100, 300);
  Threads threads(2);
  const std::string text = report::run_widget(e.report, threads);
  EXPECT_LT(text.size(), 3'000'000u);
  const Json widget = Json::parse(text);
  EXPECT_EQ(widget["coordinates"].size(), shown_coordinates);
  EXPECT_EQ(widget["dimension"], 300);
  EXPECT_EQ(widget["strip"]["rhat"].size(), 300u);
  EXPECT_LE(widget["points"]["chain"].size(), 1200u);
  const Json& first = widget["coordinates"][0];
  EXPECT_EQ(first["trace"]["chains"].size(), 8u);
  EXPECT_EQ(first["ecdf"]["chains"].size(), 16u);
  EXPECT_FALSE(first.contains("ranks"));  // 40 histograms tell nobody anything
}

TEST(RunWidget, ChoosesTheWorstCoordinates) {
  std::vector<SummaryRow> rows(200);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {.name = "x", .mean = 1, .sd = 1, .ess_bulk = 4000, .ess_tail = 4000, .rhat = 1};
  }
  rows[150].rhat = 1.5;
  rows[160].ess_bulk = 5;
  rows[170].ess_tail = 6;
  rows[180].sd = 10;
  rows[190].mean = rows[190].sd = rows[190].rhat = NAN;
  rows[0].sd = 0;
  const auto shown = report::choose_coordinates(rows);
  ASSERT_EQ(shown.size(), shown_coordinates);
  EXPECT_TRUE(std::ranges::is_sorted(shown, {}, &report::ShownCoordinate::index));
  for (const std::size_t index : {150, 160, 170, 180, 190}) {
    EXPECT_TRUE(std::ranges::count(shown, index, &report::ShownCoordinate::index)) << index;
  }
  EXPECT_FALSE(std::ranges::count(shown, 0u, &report::ShownCoordinate::index));
}

TEST(RunWidget, KeepsExtremesOfLongTraces) {
  Example e = normals(2, 5000, 1);
  e.values[3333] = 77;
  e.values[9999] = -88;
  finish(e, 2, 5000);
  const Json trace = widget_of(e.report)["coordinates"][0];
  const double centre = trace["centre"];
  const auto high = floats(trace["trace"]["high"]), low = floats(trace["trace"]["low"]);
  EXPECT_EQ(trace["trace"]["width"], 10);
  EXPECT_NEAR(*std::ranges::max_element(high) + centre, 77, 1e-4);
  EXPECT_NEAR(*std::ranges::min_element(low) + centre, -88, 1e-4);
  EXPECT_NEAR(high[333] + centre, 77, 1e-4);  // in its place
}

TEST(RunWidget, PacksTinySharesAsLogarithms) {
  Example e;
  for (int i = 0; i < 64; ++i) {
    const double tiny = std::pow(10.0, -3.0 - 4 * i);
    e.values.insert(e.values.end(), {1 - tiny, tiny});
  }
  e.names = {"a", "b"};
  finish(e, 2, 32);
  e.report.outline = outline_of(e.report.draws);
  EXPECT_EQ(e.report.outline.kind, Outline::Kind::triangle);
  const Json widget = widget_of(e.report);
  const Json& b = widget["coordinates"][1];
  EXPECT_EQ(b["logarithmic"], true);
  EXPECT_NEAR(floats(b["points"])[63], -3 - 4 * 63, 1e-4);
  EXPECT_TRUE(b.contains("log_histogram"));
  // The dual of a simplex is known without a file that holds it.
  EXPECT_EQ(widget["dual"]["coordinates"][0], nullptr);
  EXPECT_EQ(widget["dual"]["coordinates"][1]["name"], "log b/a");
}

TEST(RunWidget, HasWordsWhereThereIsNothingToPlot) {
  Example e;
  e.names = {"constant", "broken </script>", "fine"};
  for (int i = 0; i < 8; ++i) {
    e.values.insert(e.values.end(), {2.0, i == 5 ? NAN : 1.0 * i, 1.0 * (i * i % 5)});
  }
  finish(e, 2, 4);
  const Json widget = widget_of(e.report);
  EXPECT_FALSE(widget["coordinates"][0].contains("trace"));
  EXPECT_EQ(widget["coordinates"][1]["broken"].dump(), R"({"chain":2,"count":1,"draw":2})");
  EXPECT_TRUE(widget["coordinates"][2].contains("trace"));
  EXPECT_FALSE(widget["coordinates"][2].contains("autocorrelation"));
  EXPECT_FALSE(widget.contains("dual"));
  EXPECT_THAT(page_of(e.report), Not(HasSubstr("broken </script>")));

  Example one = normals(1, 40, 1);
  const Json alone = widget_of(one.report);
  EXPECT_FALSE(alone["coordinates"][0].contains("ecdf"));
  EXPECT_FALSE(alone["coordinates"][0]["autocorrelation"].contains("low"));
}

TEST(RunWidget, TellsAStepSizeThatWasGivenFromOneThatWasFound) {
  Example e = normals(2, 50, 1);
  EXPECT_FALSE(widget_of(e.report).contains("given_step_size"));  // nothing is known
  e.report.record.done.tuning.step_size = 0.25;
  e.report.record.plan.command = "tain sample";
  EXPECT_EQ(widget_of(e.report)["given_step_size"], 0.25);
  for (std::uint64_t t = 0; t < 10; ++t) {
    e.report.record.done.history.add(t, 0.5, 0.8);
  }
  const Json found = widget_of(e.report);
  EXPECT_FALSE(found.contains("given_step_size"));
  EXPECT_EQ(found["history"]["step"].size(), 10u);
  EXPECT_EQ(found["history"]["final"], 0.25);
}

TEST(RunWidget, ExactSharesOfBinsSumToWhatTheyCover) {
  Example e = normals(4, 1000, 2);
  e.report.laws = {{MarginalLaw::Kind::normal, 0, 1}, {MarginalLaw::Kind::normal, 1, 2}};
  const Json widget = widget_of(e.report);
  for (const Json& c : widget["coordinates"]) {
    const auto exact = c["histogram"]["exact"].get<std::vector<double>>();
    const auto share = c["histogram"]["share"].get<std::vector<double>>();
    EXPECT_NEAR(std::accumulate(share.begin(), share.end(), 0.0), 1, 1e-4);
    // All but the tails beyond the outermost of 4000 draws.
    EXPECT_NEAR(std::accumulate(exact.begin(), exact.end(), 0.0), 1, 3e-3);
    double distance = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      distance += std::abs(exact[k] - share[k]) / 2;
    }
    EXPECT_LT(distance, 0.06);  // 4000 exact draws in 31 bins are 0.035 away on average
  }
}

TEST(Outline, KnowsTheSetsThatPlotsDraw) {
  const Outline simplex = SimplexMap::with_reference(4, 2).outline();
  EXPECT_EQ(simplex.kind, Outline::Kind::triangle);
  EXPECT_EQ(simplex.skipped, 2u);
  const Outline ball = BallMap({1, 2}, 3).outline();
  EXPECT_EQ(ball.centre, (std::vector<double>{1, 2}));
  EXPECT_EQ(ball.radius, 3);
  EXPECT_EQ(BoxMap({0, -1}, {1, INFINITY}).outline().kind, Outline::Kind::range);
  EXPECT_EQ(BoxMap::identity(2).outline().kind, Outline::Kind::none);
  // Nearly shares are not shares.
  const std::vector<double> off = {0.5, 0.51, 0.2, 0.8};
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_EQ(outline_of(Draws{.chains = 1, .draws = 2, .names = names, .values = off}).kind,
            Outline::Kind::unknown);
}

TEST(MarginalLaws, AreThoseOfTheTarget) {
  const AnyMap simplex = SimplexMap::symmetric(3);
  const auto beta = marginal_laws(simplex, DirichletPosterior({5, 1, 0}, {1, 1, 1}));
  ASSERT_EQ(beta.size(), 3u);
  EXPECT_EQ(beta[0].first, 6);
  EXPECT_EQ(beta[0].second, 3);
  // Beta(1, 8): 1 - (1 - x)^8.
  EXPECT_NEAR(beta[2].cdf(0.2), 1 - std::pow(0.8, 8), 1e-12);
  EXPECT_NEAR(marginal_laws(simplex, Uniform(3))[1].cdf(0.5), 0.75, 1e-12);
  // One category with nearly everything: the rest must not be lost in rounding.
  const auto sparse = marginal_laws(simplex, DirichletPosterior({1e15, 0, 0}, {1, 0.01, 0.01}));
  EXPECT_NEAR(sparse[0].second, 0.02, 1e-17);
  const std::vector<double> sds = {3, 4};
  const auto normal = marginal_laws(BoxMap::identity(2), Gaussian::diagonal({1, 2}, sds));
  ASSERT_EQ(normal.size(), 2u);
  EXPECT_NEAR(normal[1].cdf(2 + 4 * 1.959963984540054), 0.975, 1e-12);
  EXPECT_TRUE(marginal_laws(BallMap({0, 0}, 1), Uniform(2)).empty());
}

}  // namespace
}  // namespace tain::run_page_test
