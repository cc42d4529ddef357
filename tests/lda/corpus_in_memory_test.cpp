// A corpus in memory wherever a corpus in a folder can be: the same bits, and models that say where
// it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bags.hpp"
#include "core/file.hpp"
#include "lda/explore/explorer.hpp"
#include "lda/training/training_report.hpp"
#include "support/errors.hpp"
#include "support/synthetic_corpus.hpp"
#include "text/corpus_writer.hpp"
#include "trained.hpp"

namespace tain::corpus_in_memory_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CorpusInMemory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("in-memory",
                                                    SyntheticPlan{.docs = 300,
                                                                  .topics = 4,
                                                                  .vocab_size = 200,
                                                                  .mean_length = 40,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
    bags_ = std::make_unique<test::Bags>(made_->corpus());
    CorpusWriter writer(made_->folder() / "bags", Order::none, Overwrite::no);
    const Corpus corpus = bags_->corpus();
    for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
      writer.add(corpus.document(d).ids, corpus.document(d).counts, "", "");
    }
    writer.finish(corpus.vocabulary(), "{}\n");
    // What the current folder happens to have must not be taken for the corpus's.
    before_ = fs::current_path();
    fs::create_directories(made_->folder() / "here");
    fs::current_path(made_->folder() / "here");
    write_atomically("documents.tsv", "not\tmine\n");
    write_atomically("manifest.json", "{\"tokens\": 7}\n");
  }
  static void TearDownTestSuite() {
    fs::current_path(before_);
    made_.reset();
    bags_.reset();
  }

  static TrainingPlan plan(const Corpus& corpus) {
    return suggested_plan("smld-root", 4, corpus, corpus.documents(), 4);
  }
  static std::unique_ptr<TrainingRun> trained(const Corpus& corpus, Threads& threads) {
    const StopRule stop{.passes = 4.0};
    auto run = std::make_unique<TrainingRun>(
        corpus, plan(corpus),
        schedule_for({.held_out = 30, .keep_draws = 4}, stop, corpus.documents(), plan(corpus)),
        threads);
    run->run(stop, {}, [](const TrainProgress&) { return Next::go_on; });
    return run;
  }
  static void write(const fs::path& folder, TrainingRun& run, const TrainingReport& report) {
    fs::create_directories(folder);
    test::write_trained(folder, run, report, "{}", "tain lda train");
  }

  inline static fs::path before_;
  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static std::unique_ptr<test::Bags> bags_;
};

TEST_F(CorpusInMemory, TrainsToTheSameBits) {
  Threads threads(2);
  const Corpus opened = Corpus::open(made_->folder() / "bags"), over = bags_->corpus();
  ASSERT_EQ(opened.order(), Order::none);
  const auto from_folder = trained(opened, threads), from_memory = trained(over, threads);
  const TrainingReport first = report_on(*from_folder, StopReason::passes),
                       second = report_on(*from_memory, StopReason::passes);
  ASSERT_GT(from_folder->average().draws(), 0U);
  EXPECT_TRUE(std::ranges::equal(from_folder->average().mean().flat(),
                                 from_memory->average().mean().flat()));
  EXPECT_EQ(first.shares, second.shares);
  EXPECT_EQ(first.perplexity->value, second.perplexity->value);
}

TEST_F(CorpusInMemory, ModelsSayThatItWasThere) {
  Threads threads(2);
  const Corpus corpus = bags_->corpus();
  const auto run = trained(corpus, threads);
  const TrainingReport report = report_on(*run, StopReason::passes);
  const fs::path folder = made_->folder() / "model";
  write(folder, *run, report);
  EXPECT_THAT(read_file(folder / "README.md"), HasSubstr("- corpus: in memory, fingerprint "));
  const ModelData model = ModelData::open(folder);
  EXPECT_EQ(model.facts().corpus_folder, "memory");
  EXPECT_EQ(model.facts().corpus_manifest, "");
  EXPECT_EQ(model.facts().corpus_fingerprint, corpus.fingerprint());
  const std::optional<TopicDraws> draws = TopicDraws::open(folder);
  ASSERT_TRUE(draws);
  const std::optional<Explorer> explorer =
      explore({.model = model, .corpus = &corpus, .draws = &*draws}, threads,
              [](const WorkProgress&) { return Next::go_on; });
  ASSERT_TRUE(explorer);
  EXPECT_EQ(explorer->corpus->name, "corpus in memory");
  EXPECT_EQ(explorer->tokens, corpus.tokens());
  EXPECT_FALSE(explorer->topics.front().documents.empty());
}

TEST_F(CorpusInMemory, ErrorsNameIt) {
  const Corpus corpus = bags_->corpus();
  EXPECT_THAT(test::message_of(Fault::config, [&] { HeldOut(corpus, 301, NoiseField(1)); }),
              HasSubstr("corpus in memory: has 300 documents, 301 are to be held out"));
}

}  // namespace
}  // namespace tain::corpus_in_memory_test
