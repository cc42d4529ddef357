// Whole runs over ranks: the files of one process, from checkpoints of any ranks in any layout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "comm/thread_ranks.hpp"
#include "core/file.hpp"
#include "lda/engine/exchange/topic_groups.hpp"
#include "lda/training/training_report.hpp"
#include "support/errors.hpp"
#include "support/synthetic_corpus.hpp"
#include "trained.hpp"

namespace tain::run_ranks_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const TrainingObserver silent = [](const TrainProgress&) { return Next::go_on; };

constexpr std::uint64_t steps = 34;
constexpr std::uint32_t words = 200;  // four blocks of words

/// How a run is divided.
struct Way {
  int ranks;
  Layout layout;
};
constexpr std::array<Way, 7> ways{{{1, Layout::sharded},
                                   {2, Layout::replicated},
                                   {2, Layout::sharded},
                                   {3, Layout::replicated},
                                   {3, Layout::sharded},
                                   {4, Layout::replicated},
                                   {5, Layout::sharded}}};  // one without words

std::string name_of(Way way) {
  return std::to_string(way.ranks) + (way.layout == Layout::sharded ? " sharded" : " replicated");
}

/// The part that a rank writes after the one given: "checkpoint.4.1.part" after 3.
fs::path next_part(const fs::path& folder, const std::string& part) {
  const std::size_t dot = part.find('.') + 1;
  const std::size_t rest = part.find('.', dot);
  return folder / (part.substr(0, dot) + std::to_string(std::stoi(part.substr(dot)) + 1) +
                   part.substr(rest));
}

class RunRanksTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("run-ranks",
                                                    SyntheticPlan{.docs = 150,
                                                                  .topics = 4,
                                                                  .vocab_size = words,
                                                                  .mean_length = 40,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
    whole_ = folder("whole");
    train({1, Layout::replicated}, whole_, steps);
  }
  static void TearDownTestSuite() { made_.reset(); }

  static const Corpus& corpus() { return made_->corpus(); }
  /// An empty folder for a model.
  static fs::path folder(const std::string& name) {
    const fs::path path = made_->folder() / name;
    fs::remove_all(path);
    fs::create_directories(path);
    return path;
  }

  /// A descent, the first pass of kept topics, then draws of which some are kept.
  static TrainingPlan plan() {
    TrainingPlan plan;
    plan.method = "smld-root";
    plan.topics = 18;  // more than one group
    plan.batch = 20;
    plan.assignments = Assignments::kept;
    plan.sweeps = 2;
    plan.sweeps_burn_in = 0;
    plan.start = Start::descent;
    plan.descent = 240;
    plan.descent_batch = 40;
    plan.step_size = {0.5, 1000, 0};
    return plan;
  }
  static TrainingSchedule schedule() {
    return {.held_out = 15,
            .eval_every = 90,
            .burn_in = 400,
            .average_every = 20,
            .keep_draws = 3,
            .draw_every = 120};
  }

  /// Trains in a folder up to so many steps, from the checkpoint there if there is one; writes the
  /// model at the end.
  static void train(Way way, const fs::path& folder, std::uint64_t end,
                    const TrainingObserver& observer = silent) {
    run_thread_ranks(way.ranks, [&](Comm& comm) {
      Threads threads(1);
      TrainingRun run(corpus(), plan(), schedule(), Sharding(comm, way.layout, corpus().words()),
                      threads);
      const CheckpointPlan checkpoints{folder / "checkpoint.bin", 100, 1e9};
      if (broadcast_value(comm, fs::exists(checkpoints.file))) {
        run.restore(checkpoints.file);
      }
      if (run.run({.steps = end}, checkpoints, observer) == StopReason::interrupted ||
          end < steps) {
        return;
      }
      const TrainingReport report = report_on(run, StopReason::steps);
      test::write_trained(folder, run, report, "{}", "");
    });
  }

  /// Everything but times is that of one process.
  static void expect_whole(const fs::path& folder, const std::string& where) {
    for (const char* name :
         {"topics.npy", "dual.npy", "draws.npy", "draw_shares.npy", "vocab.txt"}) {
      EXPECT_TRUE(read_file(folder / name) == read_file(whole_ / name)) << where << ": " << name;
    }
    EXPECT_EQ(timeless(folder), timeless(whole_)) << where;
  }
  static std::string timeless(const fs::path& folder) {
    const std::optional<History> history = History::parse(read_file(folder / "history.csv"));
    History without;
    for (Evaluation row : history->rows()) {
      row.time = {};
      without.add(row);
    }
    return without.csv();
  }
  static std::vector<std::string> parts(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().string().find(".part") != std::string::npos) {
        names.push_back(entry.path().filename().string());
      }
    }
    std::ranges::sort(names);
    return names;
  }

  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static fs::path whole_;
};

TEST_F(RunRanksTest, TheFilesOfOneProcess) {
  EXPECT_FALSE(timeless(whole_).empty());
  for (const Way way : ways) {
    const fs::path model = folder("model");
    train(way, model, steps);
    expect_whole(model, name_of(way));
  }
}

// Stops in the descent, in the first pass of kept topics, and among the draws.
TEST_F(RunRanksTest, AnyRanksInAnyLayoutGoOnFromAnyCheckpoint) {
  for (const auto& [first, second] :
       {std::pair<Way, Way>{{1, Layout::replicated}, {3, Layout::sharded}},
        {{3, Layout::sharded}, {2, Layout::replicated}},
        {{4, Layout::replicated}, {5, Layout::sharded}},
        {{5, Layout::sharded}, {1, Layout::replicated}}}) {
    for (const std::uint64_t stop : {3U, 9U, 27U}) {
      const fs::path model = folder("model");
      train(first, model, stop);
      EXPECT_EQ(parts(model).size(), first.ranks > 1 ? static_cast<std::size_t>(first.ranks) : 0U);
      train(second, model, steps);
      expect_whole(model, name_of(first) + ", then " + name_of(second));
      EXPECT_EQ(parts(model).size(),
                second.ranks > 1 ? static_cast<std::size_t>(second.ranks) : 0U);
    }
  }
}

TEST_F(RunRanksTest, RankZeroDecidesWhenToStop) {
  const fs::path model = folder("model");
  int asked = 0;  // by one rank only: no lock
  train({3, Layout::sharded}, model, steps, [&](const TrainProgress& progress) {
    ++asked;
    return progress.step == 12 ? Next::stop : Next::go_on;
  });
  EXPECT_EQ(asked, 12);
  EXPECT_FALSE(fs::exists(model / "topics.npy"));
  train({2, Layout::replicated}, model, steps);
  expect_whole(model, "after a stop");
}

// A rank that dies after some parts of a checkpoint were written and before the file that lists
// them: the checkpoint before is whole, and what was written of the next is in nobody's way.
TEST_F(RunRanksTest, ADeathAmidACheckpointLeavesTheOneBefore) {
  for (const Layout layout : {Layout::replicated, Layout::sharded}) {
    const fs::path model = folder("model");
    train({3, layout}, model, 14);
    const std::string before = read_file(model / "checkpoint.bin");
    const std::vector<std::string> listed = parts(model);
    ASSERT_EQ(listed.size(), 3U);
    EXPECT_THROW(run_thread_ranks(3,
                                  [&](Comm& comm) {
                                    Threads threads(1);
                                    TrainingRun run(corpus(), plan(), schedule(),
                                                    Sharding(comm, layout, words), threads);
                                    run.restore(model / "checkpoint.bin");
                                    // Rank 1 cannot write where a folder has its part's name.
                                    if (comm.rank() == 1) {
                                      fs::create_directories(next_part(model, listed[1]));
                                    }
                                    comm.barrier();
                                    run.save(model / "checkpoint.bin");
                                  }),
                 Error);
    fs::remove_all(next_part(model, listed[1]));
    EXPECT_EQ(read_file(model / "checkpoint.bin"), before);
    fs::create_directory(model / ".checkpoint.9.1.part.tain-new");
    std::ofstream(model / ".checkpoint.9.1.part.tain-new" / "checkpoint.9.1.part") << "unfinished";
    train({2, layout}, model, steps);
    expect_whole(model, "after a death");
    EXPECT_EQ(parts(model).size(), 2U);
  }
}

TEST_F(RunRanksTest, PartsThatAreMissingOrDamagedAreNamed) {
  const fs::path model = folder("model");
  train({3, Layout::sharded}, model, 14);
  const std::string part = parts(model)[1];
  const std::string bytes = read_file(model / part);
  const auto message = [&](int ranks) {
    return test::message_of(Fault::data, [&] { train({ranks, Layout::sharded}, model, steps); });
  };
  std::string damaged = bytes;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 8);
  write_atomically(model / part, damaged);
  EXPECT_THAT(message(1), HasSubstr(part + ": has a wrong checksum"));
  // Sound, but of another rank.
  write_atomically(model / part, read_file(model / parts(model)[0]));
  EXPECT_THAT(message(2), HasSubstr(part + ": is a part of another checkpoint"));
  fs::remove(model / part);
  EXPECT_THAT(message(3), HasSubstr(part + ": is missing"));
  write_atomically(model / part, bytes);
  train({2, Layout::sharded}, model, steps);
  expect_whole(model, "put back");
}

TEST_F(RunRanksTest, FilesThatOnlyLookLikePartsStay) {
  const fs::path model = folder("model");
  for (const char* name : {"checkpoint.part", "checkpoint.1.part", "checkpoint.1.x.part",
                           "checkpoint.1.2.party", "other.1.2.part"}) {
    std::ofstream(model / name) << "mine";
  }
  std::ofstream(model / "checkpoint.1.2.part") << "of a run before";
  train({1, Layout::replicated}, model, 2);
  EXPECT_EQ(parts(model).size(), 5U);
  EXPECT_FALSE(fs::exists(model / "checkpoint.1.2.part"));
}

// Ties go to the word that comes first, on whatever rank it is.
TEST_F(RunRanksTest, TopWordsAreThoseOfAllRanks) {
  FloatBlockStorage cells(words, padded_topics(3));
  for (std::size_t w = 0; w < words; ++w) {
    cells.view().at(w, 0) = static_cast<float>((w * 37) % 101);
    cells.view().at(w, 1) = 0;
    cells.view().at(w, 2) = static_cast<float>(w);
  }
  const auto expected = top_words(cells.view(), 3, 5);
  EXPECT_THAT(expected[0], testing::ElementsAre(30, 131, 60, 161, 90));
  EXPECT_THAT(expected[1], testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(expected[2], testing::ElementsAre(199, 198, 197, 196, 195));
  EXPECT_EQ(top_words(cells.view(), 3, 500)[2].size(), words);
  run_thread_ranks(3, [&](Comm& comm) {
    const Sharding sharding(comm, Layout::sharded, words);
    const Range own = sharding.words();
    const ConstFloatBlock rows = cells.view();
    EXPECT_EQ(top_words({rows.slice(own.first, own.size()), {}, sharding}, 3, 5), expected);
  });
}

}  // namespace
}  // namespace tain::run_ranks_test
