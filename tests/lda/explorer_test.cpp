// What the page about topics shows: one numbering, numbers that can be computed by hand, and texts
// that cannot break out of it.
#include "lda/explore/explorer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "lda/training/kept_draws.hpp"
#include "lda/training/training_report.hpp"
#include "support/synthetic_corpus.hpp"
#include "tiny_model.hpp"
#include "trained.hpp"

namespace tain::explorer_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Rows;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const auto go_on = [](const WorkProgress&) { return Next::go_on; };

Json json_of(const Explorer& explorer) { return Json::parse(explorer_json(explorer)); }

/// A model trained on a synthetic corpus, with draws.
class ExplorerTest : public ::testing::Test {
 protected:
  static constexpr std::uint32_t topics = 5;

  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("explorer",
                                                    SyntheticPlan{.docs = 400,
                                                                  .topics = topics,
                                                                  .vocab_size = 300,
                                                                  .mean_length = 60,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 5});
    train("kept", Assignments::kept);
    train("fresh", Assignments::fresh);
  }
  static void TearDownTestSuite() { made_.reset(); }
  static const Corpus& corpus() { return made_->corpus(); }
  static fs::path folder(const std::string& name) { return made_->folder() / name; }

  static void train(const std::string& name, Assignments assignments) {
    Threads threads(1);
    TrainingPlan plan;
    plan.topics = topics;
    plan.batch = 40;
    plan.assignments = assignments;
    plan.sweeps = assignments == Assignments::kept ? 2 : 6;
    plan.sweeps_burn_in = assignments == Assignments::kept ? 0 : 3;
    plan.step_size = {0.5, 100, 0.6};
    const StopRule stop{.passes = 6.0};
    TrainingRun run(
        corpus(), plan,
        schedule_for({.held_out = 40, .average_every = 40, .keep_draws = 6}, stop, 400, plan),
        threads);
    run.run(stop, {}, [](const TrainProgress&) { return Next::go_on; });
    fs::create_directories(folder(name));
    const TrainingReport report = report_on(run, StopReason::passes);
    Json lines = Json::array();
    for (const VerdictLine& line : report.verdict.lines) {
      lines.push_back({{"passed", line.passed}, {"sentence", line.sentence}});
    }
    const Json details{{"shares", report.shares},
                       {"command", "tain lda train <corpus> -k 5"},
                       {"verdict",
                        {{"trust", report.verdict.trust},
                         {"headline", report.verdict.headline},
                         {"lines", lines}}}};
    test::write_trained(folder(name), run, report, details.dump(), "");
  }

  static Explorer explored(const std::string& name, const Corpus* documents,
                           const ExplorerPlan& plan = {}, std::size_t workers = 1) {
    Threads threads(workers);
    const ModelData model = ModelData::open(folder(name));
    const std::optional<TopicDraws> draws = TopicDraws::open(folder(name));
    return *explore({model, documents, draws ? &*draws : nullptr, plan}, threads, go_on);
  }

  inline static std::unique_ptr<test::SyntheticCorpus> made_;
};

TEST_F(ExplorerTest, NumbersTopicsAsTheRowsOfTheModel) {
  const Explorer explorer = explored("kept", &corpus());
  const ModelData model = ModelData::open(folder("kept"));
  const Json json = json_of(explorer);
  ASSERT_EQ(json["topics"].size(), topics);
  for (std::uint32_t k = 0; k < topics; ++k) {
    const Json& topic = json["topics"][k];
    EXPECT_EQ(topic["number"], k + 1);
    for (const Json& word : topic["words"]) {
      const std::string text = json["words"][word[0].get<std::size_t>()];
      const auto number = std::ranges::find(model.vocabulary(), text) - model.vocabulary().begin();
      const auto phi =
          static_cast<double>(model.topics().weights().at(static_cast<std::size_t>(number), k));
      EXPECT_NEAR(word[1].get<double>(), phi, 5.1e-4 * phi);  // 4 digits
    }
    EXPECT_EQ(top_words(model.topics().weights(), model.topics().topics(), 1)[k].front(),
              std::ranges::find(model.vocabulary(),
                                explorer.words[explorer.topics[k].words.front().word].text) -
                  model.vocabulary().begin());
  }
  const std::string html = page_of(topics_chapter(explorer));
  for (std::uint32_t k = 0; k < topics; ++k) {
    EXPECT_THAT(html,
                HasSubstr("<th scope=\"row\" class=\"number\">" + std::to_string(k + 1) + "</th>"));
  }
}

TEST_F(ExplorerTest, KeepsItsContract) {
  const Explorer explorer = explored("kept", &corpus());
  const Json json = json_of(explorer);
  EXPECT_EQ(json["model"]["name"], "kept");
  EXPECT_EQ(json["model"]["topics"], topics);
  EXPECT_EQ(json["model"]["words"], 300);
  EXPECT_EQ(json["model"]["documents"], 400);
  EXPECT_EQ(json["model"]["tokens"], corpus().tokens());
  EXPECT_EQ(json["model"]["draws"], 6);
  EXPECT_EQ(json["shareOf"], "tokens");
  EXPECT_EQ(json["map"]["measure"], "Jensen-Shannon");
  EXPECT_EQ(json["words"].size(), 300U);  // all of them fit
  EXPECT_EQ(json["wordsLeftOut"], 0);
  EXPECT_EQ(json["p"].size(), json["words"].size());
  EXPECT_EQ(json["wordTopics"].size(), json["words"].size());
  EXPECT_EQ(json["corpus"]["documents"], 400);
  EXPECT_TRUE(json["corpus"]["sampled"].is_null());
  EXPECT_EQ(json["history"]["documents"].size(), json["history"]["perplexity"].size());
  EXPECT_GT(json["history"]["documents"].size(), 3U);
  double shares = 0, p = 0;
  for (const Json& topic : json["topics"]) {
    shares += topic["share"].get<double>();
    EXPECT_LE(topic["low"].get<double>(), topic["share"].get<double>());
    EXPECT_GE(topic["high"].get<double>(), topic["share"].get<double>());
    EXPECT_EQ(topic["documents"].size(), 10U);
    EXPECT_EQ(topic["similar"].size(), 3U);
    EXPECT_TRUE(topic["coherence"].is_number());
    double last = 1;
    for (const Json& word : topic["words"]) {
      EXPECT_LE(word[1].get<double>(), last);
      last = word[1];
      EXPECT_LE(word[2].get<double>(), word[3].get<double>());
    }
    last = 1;
    for (const Json& document : topic["documents"]) {
      EXPECT_LE(document[1].get<double>(), last);
      last = document[1];
    }
  }
  EXPECT_NEAR(shares, 1, topics * 5e-4);
  for (const Json& value : json["p"]) {
    p += value.get<double>();
  }
  EXPECT_NEAR(p, 1, 5e-4);
  for (const Json& pairs : json["wordTopics"]) {
    ASSERT_EQ(pairs.size() % 2, 0U);
    double last = 1, sum = 0;
    for (std::size_t i = 1; i < pairs.size(); i += 2) {
      EXPECT_LE(pairs[i].get<double>(), last);
      EXPECT_GE(pairs[i].get<double>(), 0.01);
      last = pairs[i];
      sum += last;
    }
    EXPECT_LE(sum, 1.001);
    EXPECT_GE(sum, 1 - 0.01 * topics);
  }
}

TEST_F(ExplorerTest, SharesOfKeptAssignmentsAreThoseOfTheDraws) {
  const Explorer with = explored("kept", &corpus()), without = explored("kept", nullptr);
  const std::optional<TopicDraws> draws = TopicDraws::open(folder("kept"));
  EXPECT_EQ(without.share_of, ShareOf::tokens);
  for (std::uint32_t k = 0; k < topics; ++k) {
    double sum = 0;
    std::vector<double> all;
    for (std::uint64_t s = 0; s < 6; ++s) {
      sum += draws->shares(s)[k];
      all.push_back(draws->shares(s)[k]);
    }
    std::ranges::sort(all);
    EXPECT_NEAR(with.topics[k].share, sum / 6, 1e-15);
    EXPECT_EQ(with.topics[k].share, without.topics[k].share);
    // Places 0.05 * 5 and 0.95 * 5 among six values.
    EXPECT_NEAR(with.topics[k].share_interval->low, 0.75 * all[0] + 0.25 * all[1], 1e-15);
    EXPECT_NEAR(with.topics[k].share_interval->high, 0.25 * all[4] + 0.75 * all[5], 1e-15);
  }
  EXPECT_TRUE(without.topics[0].documents.empty());
  EXPECT_FALSE(without.topics[0].coherence.has_value());
  EXPECT_TRUE(json_of(without)["corpus"].is_null());
}

// Fresh assignments have no shares of draws: they are inferred, and lie around the corpus's.
TEST_F(ExplorerTest, SharesOfFreshAssignmentsAreInferred) {
  const Explorer explorer = explored("fresh", &corpus(), {.shares_documents = 100});
  Threads threads(1);
  const ModelData model = ModelData::open(folder("fresh"));
  const CorpusTopics found = *infer_corpus_topics(model, corpus(), {}, threads,
                                                  [](const WorkProgress&) { return Next::go_on; });
  for (std::uint32_t k = 0; k < topics; ++k) {
    EXPECT_EQ(explorer.topics[k].share, found.shares[k]);
    ASSERT_TRUE(explorer.topics[k].share_interval.has_value());
    EXPECT_LT(explorer.topics[k].share_interval->low, explorer.topics[k].share);
    EXPECT_GT(explorer.topics[k].share_interval->high, explorer.topics[k].share);
  }
  const Explorer alone = explored("fresh", nullptr);
  EXPECT_EQ(alone.share_of, ShareOf::tokens);  // what training measured
  EXPECT_FALSE(alone.topics[0].share_interval.has_value());
}

TEST_F(ExplorerTest, SameForAnyThreads) {
  EXPECT_EQ(explorer_json(explored("kept", &corpus())),
            explorer_json(explored("kept", &corpus(), {}, 3)));
  EXPECT_EQ(explorer_json(explored("fresh", &corpus(), {.shares_documents = 70})),
            explorer_json(explored("fresh", &corpus(), {.shares_documents = 70}, 2)));
}

TEST_F(ExplorerTest, SamplesLargeCorporaAndLargeVocabularies) {
  const Explorer explorer =
      explored("kept", &corpus(), {.documents = 90, .relevant_words = 2, .page_words = 100});
  EXPECT_EQ(explorer.corpus->sampled, 90U);
  EXPECT_EQ(explorer.words.size(), 100U);
  const Json json = json_of(explorer);
  EXPECT_EQ(json["wordsLeftOut"], 200);
  EXPECT_EQ(json["corpus"]["sampled"], 90);
  for (const Json& topic : json["topics"]) {
    EXPECT_GE(topic["words"].size(), 2U);
    for (const Json& word : topic["words"]) {
      EXPECT_LT(word[0].get<std::size_t>(), 100U);
    }
  }
}

TEST_F(ExplorerTest, CanBeStopped) {
  Threads threads(1);
  const ModelData model = ModelData::open(folder("kept"));
  EXPECT_FALSE(explore({model, &corpus()}, threads, [](const WorkProgress&) {
                 return Next::stop;
               }).has_value());
}

TEST_F(ExplorerTest, ThePageSaysWhatThereIs) {
  const std::string html = page_of(topics_chapter(explored("kept", &corpus())));
  for (const std::string_view part :
       {"Can these topics be trusted?", "Every document was seen", "All topics as a table",
        "Held-out perplexity", "How it was made", "tain lda train &lt;corpus&gt; -k 5",
        "5 % to the 95 % quantile over 6 draws", "data-kind=\"topics\"", "Mirrored Langevin"}) {
    EXPECT_THAT(html, HasSubstr(std::string(part)));
  }
}

TEST(SmallExplorer, OneTopicWithoutAnythingElse) {
  const test::Folder folder("explorer-one");
  const ModelData model = test::model_of(folder.path() / "one", {{3, 1, 0, 4}});
  Threads threads(1);
  const Explorer explorer = *explore({model}, threads, go_on);
  EXPECT_EQ(explorer.share_of, ShareOf::prior);
  const Json json = json_of(explorer);
  EXPECT_EQ(json["topics"][0]["share"], 1);
  EXPECT_TRUE(json["topics"][0]["low"].is_null());
  EXPECT_TRUE(json["topics"][0]["coherence"].is_null());
  EXPECT_TRUE(json["topics"][0]["similar"].empty());
  EXPECT_EQ(json["topics"][0]["words"].size(), 3U);  // the third has no weight
  EXPECT_TRUE(json["history"].is_null());            // an older one, without errors
  EXPECT_TRUE(json["model"]["tokens"].is_null());
  EXPECT_THAT(page_of(topics_chapter(explorer)), HasSubstr("no verdict"));
}

// p(topic | word) by hand: shares 1/2 each, phi 3/4 and 1/4 of the first word.
TEST(SmallExplorer, TopicsOfWordsFollowBayes) {
  const test::Folder folder("explorer-two");
  const ModelData model = test::model_of(folder.path() / "two", {{3, 1}, {1, 3}});
  Threads threads(1);
  const Explorer explorer = *explore({model}, threads, go_on);
  ASSERT_EQ(explorer.words[0].text, "w0");
  EXPECT_NEAR(explorer.words[0].probability, 0.5, 1e-7);
  ASSERT_EQ(explorer.words[0].topics.size(), 2U);
  EXPECT_EQ(explorer.words[0].topics[0].first, 0U);
  EXPECT_NEAR(explorer.words[0].topics[0].second, 0.75, 1e-7);
}

TEST(SmallExplorer, TextsCannotBreakOut) {
  const test::Folder folder("explorer-evil");
  const std::string evil = "</script><script>alert(1)</script>\x01\"\\\xFF";
  ModelFacts facts = test::some_facts(1);
  facts.method = evil;
  const ModelData model = test::model_of(folder.path() / "evil", {{3, 1}}, facts, {evil, "<!--"});
  Threads threads(1);
  Explorer explorer = *explore({model}, threads, go_on);
  explorer.topics[0].documents.push_back({0, evil, 0.5, 3});
  explorer.name = evil;
  const Json json = json_of(explorer);  // parses
  EXPECT_THAT(json["topics"][0]["documents"][0][0].get<std::string>(), HasSubstr("</script>"));
  Chapter chapter = topics_chapter(explorer);
  chapter.title = evil;
  const std::string html = page_of(chapter);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("\x01")));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
}

TEST(History, IsReadAsItWasWritten) {
  History history;
  for (std::uint64_t i = 1; i < 4; ++i) {
    Evaluation row;
    row.step = 10 * i;
    row.documents = 100 * i;
    row.single = {1234.5 / static_cast<double>(i), 3.25};
    row.average = {i == 1 ? std::numeric_limits<double>::infinity() : 1200.125, 0};
    history.add(row);
  }
  const std::optional<History> read = History::parse(history.csv());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->csv(), history.csv());
  const std::string text = history.csv();
  EXPECT_FALSE(History::parse("").has_value());
  EXPECT_FALSE(History::parse("step,docs\n1,2\n").has_value());
  EXPECT_FALSE(History::parse(text.substr(0, text.size() - 30)).has_value());  // cut
  EXPECT_FALSE(History::parse(text + text.substr(text.find('\n') + 1)).has_value());
  std::string letters = text;
  letters[text.find("1234")] = 'x';
  EXPECT_FALSE(History::parse(letters).has_value());
}

}  // namespace
}  // namespace tain::explorer_test
