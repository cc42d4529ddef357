// Studies and pages by one call, as users see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.hpp"
#include "made_up_study.hpp"
#include "reproduce/study_file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/reproduce.hpp"
#include "tain/text/synthesize.hpp"

namespace tain::study_calls_test {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using testing::EndsWith;
using testing::HasSubstr;

class StudyCalls : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  static SyntheticStudyPlan synthetic() {
    return {.chains = 1000, .grid_chains = 1000, .further_chains = 1000, .iterations = 100};
  }
  /// Few topics and documents; the corpus is made once.
  LdaStudyPlan lda() {
    if (!corpus_) {
      corpus_ = synthesize_corpus(path("corpus"),
                                  {.docs = 300, .topics = 4, .vocab_size = 100, .mean_length = 40});
    }
    return {.corpus = corpus_,
            .topics = 4,
            .methods = {"smld-approximate", "sgrld"},
            .docs = 100,
            .holdout = 30,
            .eval_every = 50,
            .runs = 1,
            .sweeps = 2};
  }
  /// curves.csv without the column of seconds.
  std::string curves(const std::string& study, std::size_t seconds) const {
    std::istringstream lines(read_file(path(study) / "curves.csv"));
    std::string all;
    for (std::string line; std::getline(lines, line); all += '\n') {
      std::istringstream cells(line);
      std::string cell;
      for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
        all += i == seconds ? "" : cell + ",";
      }
    }
    return all;
  }

  test::Folder folder_{"study-calls"};
  std::optional<Corpus> corpus_;
};

TEST_F(StudyCalls, AStudyLeavesItsFilesAndFindings) {
  SyntheticStudyPlan plan = synthetic();
  std::vector<std::string> notes;
  plan.note = [&](std::string_view text) { notes.emplace_back(text); };
  plan.command = "my call";
  const Study study = reproduce_synthetic(path("s"), plan);
  EXPECT_TRUE(study.finished);
  EXPECT_GT(study.seconds, 0);
  EXPECT_EQ(study.page, path("s") / "index.html");
  EXPECT_EQ(study.json, read_file(path("s") / "findings.json"));
  EXPECT_THAT(study.text(), HasSubstr(study.findings.front().claim));
  EXPECT_THAT(study.json, HasSubstr("\"slopes\""));
  EXPECT_THAT(read_file(study.page), HasSubstr("my call"));
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr("1,000 chains for the best curves")));
  expect_error([&] { reproduce_synthetic(path("s"), synthetic()); }, Fault::cannot_create,
               "holds a study already");
  plan.seed = 2;
  plan.resume = true;
  expect_error([&] { reproduce_synthetic(path("s"), plan); }, Fault::data, "other options");
}

TEST_F(StudyCalls, StoppingAndResumingChangeNothing) {
  const Study whole = reproduce_lda(path("whole"), lda());
  EXPECT_FALSE(whole.findings.empty());
  LdaStudyPlan plan = lda();
  plan.progress = [&](const StudyProgress& now) {
    EXPECT_THAT(std::string(now.what), HasSubstr(" topics"));
    return now.share > 0.4 ? Next::stop : Next::go_on;
  };
  const Study stopped = reproduce_lda(path("parts"), plan);
  EXPECT_FALSE(stopped.finished);
  EXPECT_TRUE(stopped.findings.empty() && stopped.json.empty());
  EXPECT_FALSE(fs::exists(stopped.page));
  plan.progress = {};
  plan.resume = true;
  plan.threads = 1;
  EXPECT_TRUE(reproduce_lda(path("parts"), plan).finished);
  EXPECT_EQ(curves("parts", 6), curves("whole", 6));
  plan.methods = {"scir"};
  expect_error([&] { reproduce_lda(path("parts"), plan); }, Fault::data, "other options");
}

TEST_F(StudyCalls, WrongUseIsToldBeforeAnyWork) {
  SyntheticStudyPlan few = synthetic();
  few.chains = 10;
  expect_error([&] { reproduce_synthetic(path("s"), few); }, Fault::config,
               "chains: must lie between 1,000 and 100 million");
  SyntheticStudyPlan resumed = synthetic();
  resumed.resume = true;
  expect_error([&] { reproduce_synthetic(path("s"), resumed); }, Fault::no_input, "study.json");
  resumed.overwrite = true;
  expect_error([&] { reproduce_synthetic(path("s"), resumed); }, Fault::config, "contradicts");
  write_atomically(path("file"), std::string_view("mine"));
  expect_error([&] { reproduce_synthetic(path("file") / "s", synthetic()); }, Fault::cannot_create,
               "is no folder; choose another place");
  expect_error([&] { reproduce_lda(path("s")); }, Fault::usage, "corpus: none is given");
  LdaStudyPlan plan = lda();
  plan.methods = {"sgrdl"};
  expect_error([&] { reproduce_lda(path("s"), plan); }, Fault::config, "did you mean 'sgrld'?");
  plan = lda();
  plan.topics = 1;
  expect_error([&] { reproduce_lda(path("s"), plan); }, Fault::config, "topics: is 1");
  plan = lda();
  const std::vector<std::uint64_t> none{0};
  plan.corpus = Corpus::over({{}, {}, none, {"word"}});
  expect_error([&] { reproduce_lda(path("s"), plan); }, Fault::config, "corpus in memory: has 0");
  EXPECT_FALSE(fs::exists(path("s")));
}

class Reports : public StudyCalls {
 protected:
  /// A folder that holds a study nobody ran.
  fs::path study() const {
    fs::create_directories(path("made"));
    write_study(path("made") / "study.json", made_up_study());
    return path("made");
  }
};

TEST_F(Reports, APageOfSeveralStudiesHasRemarksOnTop) {
  write_atomically(path("notes.txt"), std::string_view("first\n# Mine\nsecond\n"));
  const std::vector<std::string> headlines = report(
      {study(), study()}, path("page.html"), {.title = "Two & two", .notes = path("notes.txt")});
  EXPECT_EQ(headlines.size(), 2U);
  const std::string page = read_file(path("page.html"));
  EXPECT_THAT(page, HasSubstr("Two &amp; two"));
  EXPECT_THAT(page, HasSubstr("2 reports on one page."));
  EXPECT_LT(page.find("<li>first"), page.find("<li>second"));
  EXPECT_LT(page.find("<li>second"), page.find(headlines.front(), page.find("<li>second")));
}

TEST_F(Reports, WrongUseIsTold) {
  expect_error([&] { report({}, path("page.html")); }, Fault::usage, "nothing to report on");
  expect_error([&] { report({path("nothing.nc")}, path("page.html")); }, Fault::no_input,
               "nothing.nc");
  fs::create_directories(path("empty"));
  expect_error([&] { report({path("empty")}, path("page.html")); }, Fault::no_input, "empty");
  expect_error([&] { report({study()}, path("page.html"), {.notes = path("none.txt")}); },
               Fault::no_input, "none.txt");
  EXPECT_FALSE(fs::exists(path("page.html")));
  write_atomically(path("page.html"), std::string_view("mine"));
  expect_error([&] { report({study()}, path("page.html")); }, Fault::cannot_create, "exists");
  EXPECT_EQ(read_file(path("page.html")), "mine");
  report({study()}, path("page.html"), {.overwrite = true});
  EXPECT_THAT(read_file(path("page.html")), EndsWith("</html>\n"));
}

}  // namespace
}  // namespace tain::study_calls_test
