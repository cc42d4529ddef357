// Training over ranks: the bits of one process, in both layouts, for any number of ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bags.hpp"
#include "comm/thread_ranks.hpp"
#include "lda/engine/exchange/distributed_gibbs.hpp"
#include "lda/engine/exchange/topic_rows.hpp"
#include "lda/engine/predictive.hpp"
#include "lda/training/training.hpp"
#include "support/synthetic_corpus.hpp"

namespace tain::ranks_test {
namespace {

constexpr std::uint32_t words = 300;  // five blocks: seven ranks have some without words

/// What the topics are after a step.
struct Snapshot {
  std::vector<float> weights, inverse_sums, alpha;
  std::uint64_t tokens_drawn = 0;
  std::vector<std::uint64_t> by_topic;
};

Snapshot snapshot(const Training& training) {
  const auto flat = training.topics().weights().flat();
  const auto sums = training.topics().inverse_sums();
  return {{flat.begin(), flat.end()},
          {sums.begin(), sums.end()},
          {training.alpha().begin(), training.alpha().end()},
          training.tokens_drawn(),
          training.tokens_by_topic()};
}

/// The rank's part of what one process has.
void expect_part(const Training& rank, const Snapshot& whole, const std::string& where) {
  const Snapshot own = snapshot(rank);
  const Range part = rank.sharding().words();
  const std::size_t length = rank.topics().row_length();
  ASSERT_EQ(own.weights.size(), part.size() * length) << where;
  EXPECT_TRUE(std::equal(own.weights.begin(), own.weights.end(),
                         whole.weights.begin() + static_cast<std::ptrdiff_t>(part.first * length)))
      << where;
  EXPECT_EQ(own.inverse_sums, whole.inverse_sums) << where;
  EXPECT_EQ(own.alpha, whole.alpha) << where;
  EXPECT_EQ(own.tokens_drawn, whole.tokens_drawn) << where;
  EXPECT_EQ(own.by_topic, whole.by_topic) << where;
}

constexpr Layout layouts[] = {Layout::replicated, Layout::sharded};

class RanksTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = std::make_unique<test::SyntheticCorpus>("ranks",
                                                    SyntheticPlan{.docs = 90,
                                                                  .topics = 5,
                                                                  .vocab_size = words,
                                                                  .mean_length = 30,
                                                                  .base = BaseFrequencies::uniform,
                                                                  .seed = 3});
    text_ = &made_->corpus();
    // The same documents as bags, with empty ones among them.
    bags_ = std::make_unique<test::Bags>(*text_);
    bags_->add(std::vector<std::uint32_t>(words, 0));
    std::vector<std::uint32_t> twice(words, 0);
    twice[7] = 2;
    twice[299] = 1;
    bags_->add(twice);
    bags_->add(std::vector<std::uint32_t>(words, 0));
  }
  static void TearDownTestSuite() {
    bags_.reset();
    made_.reset();
  }

  static TrainingPlan plan(std::string_view method) {
    TrainingPlan plan;
    plan.method = method;
    plan.topics = 5;
    plan.batch = 13;
    plan.sweeps = 4;
    plan.sweeps_burn_in = 2;
    plan.warmup = 2;
    const bool small = method == "smld" || method == "smld-preconditioned";
    plan.step_size = {small ? 1e-4 : 0.01, 100, 0.6};
    return plan;
  }
  /// All phases: descent, first pass, then sampling with alpha learned for a while.
  static TrainingPlan phases() {
    TrainingPlan plan = RanksTest::plan("smld-root");
    plan.start = Start::descent;
    plan.descent = 70;
    plan.descent_batch = 30;
    plan.assignments = Assignments::kept;
    plan.batch = 40;
    plan.sweeps = 2;
    plan.sweeps_burn_in = 0;
    plan.optimize_alpha = 120;
    plan.step_size = {3, 1, 0};
    return plan;
  }

  /// Steps of one process, then of ranks in both layouts, some of which have several threads.
  static void expect_same_bits(const Corpus& corpus, const TrainingPlan& plan, int steps,
                               std::span<const int> numbers_of_ranks) {
    const HeldOut held_out(corpus, 10, NoiseField(1));
    std::vector<Snapshot> expected;
    Threads threads(1);
    Training one(corpus, TrainingDocuments(corpus, held_out), plan, threads);
    expected.push_back(snapshot(one));
    for (int t = 0; t < steps; ++t) {
      one.step();
      expected.push_back(snapshot(one));
    }
    EXPECT_NE(expected.front().weights, expected.back().weights);
    for (const Layout layout : layouts) {
      for (const int ranks : numbers_of_ranks) {
        run_thread_ranks(ranks, [&](Comm& comm) {
          Threads own(comm.rank() % 2 == 0 ? 3 : 1);
          Training training(corpus, TrainingDocuments(corpus, held_out), plan,
                            Sharding(comm, layout, words), own);
          for (int t = 0; t <= steps; ++t) {
            expect_part(training, expected[static_cast<std::size_t>(t)],
                        plan.method + ", rank " + std::to_string(comm.rank()) + " of " +
                            std::to_string(ranks) + ", step " + std::to_string(t) +
                            (layout == Layout::sharded ? ", sharded" : ", replicated"));
            if (t < steps) {
              training.step();
            }
          }
        });
      }
    }
  }

  inline static std::unique_ptr<test::SyntheticCorpus> made_;
  inline static const Corpus* text_ = nullptr;
  inline static std::unique_ptr<test::Bags> bags_;
};

TEST_F(RanksTest, EveryMethodHasTheBitsOfOneProcess) {
  const int ranks[] = {2, 3, 7};
  for (const std::string_view method : topic_methods()) {
    expect_same_bits(*text_, plan(method), 3, ranks);
  }
}

TEST_F(RanksTest, AllPhasesHaveTheBitsOfOneProcess) {
  const int ranks[] = {1, 2, 3, 4, 7};
  expect_same_bits(*text_, phases(), 3 + 2 + 4, ranks);
  expect_same_bits(bags_->corpus(), phases(), 3 + 3 + 3, ranks);
}

TEST_F(RanksTest, FreshAssignmentsOfBagsAndAStartFromDocumentsDoToo) {
  TrainingPlan chosen = plan("smld-root");
  chosen.start = Start::documents;
  chosen.optimize_alpha = 30;
  const int ranks[] = {2, 4};
  expect_same_bits(bags_->corpus(), chosen, 4, ranks);
  chosen.batch = 2;  // fewer than ranks
  const int more[] = {4, 7};
  expect_same_bits(*text_, chosen, 4, more);
}

TEST_F(RanksTest, ManyTopicsAreDrawnSparselyWithTheSameBits) {
  TrainingPlan chosen = phases();
  chosen.topics = 260;
  chosen.alpha = 0.02;
  const int ranks[] = {3};
  expect_same_bits(*text_, chosen, 3 + 2 + 1, ranks);
}

// Enough documents for several pieces, whose counts and rows travel while others are looked at.
TEST_F(RanksTest, BatchesInPiecesHaveTheSameBits) {
  const test::SyntheticCorpus made("ranks-pieces", SyntheticPlan{.docs = 700,
                                                                 .topics = 5,
                                                                 .vocab_size = words,
                                                                 .mean_length = 8,
                                                                 .base = BaseFrequencies::uniform,
                                                                 .seed = 4});
  TrainingPlan chosen = phases();
  chosen.descent = 800;
  chosen.batch = chosen.descent_batch = 500;
  const int ranks[] = {2, 3};
  expect_same_bits(made.corpus(), chosen, 2 + 2 + 2, ranks);
  chosen.assignments = Assignments::fresh;
  chosen.sweeps = 3;
  expect_same_bits(made.corpus(), chosen, 2 + 2, ranks);
}

TEST(Pieces, KeepRowsWithinTheBudgetAndAreTheSameOnAllRanks) {
  run_thread_ranks(4, [](Comm& comm) {
    const Sharding sharded(comm, Layout::sharded, 1'000'000);
    const Sharding replicated(comm, Layout::replicated, 1'000'000);
    EXPECT_EQ(pieces_of_a_batch(replicated, 1000, 40, 100), 1U);
    EXPECT_EQ(pieces_of_a_batch(replicated, 1000, 4 * 150, 100), 2U);
    EXPECT_EQ(pieces_of_a_batch(replicated, 1000, 1'000'000, 100), 4U);
    // 1,000 documents of 100 words, rows of 4,032 bytes.
    EXPECT_EQ(pieces_of_a_batch(sharded, 1000, 4000, 100), 100'000U * 4032 / row_budget + 1);
    EXPECT_EQ(pieces_of_a_batch(sharded, 60'000, 8, 1e6), 2U);  // no less than a document
  });
  EXPECT_EQ(pieces_of_a_batch(Sharding(100), 1000, 4000, 100), 1U);
}

// Pieces of several ranks, some of them empty: every word asked for has its row.
TEST(TopicRows, EveryPieceHasTheRowsItAskedFor) {
  run_thread_ranks(3, [](Comm& comm) {
    const Sharding sharding(comm, Layout::sharded, words);
    const Range own = sharding.words();
    const auto value = [](std::uint64_t word, std::size_t k) {
      return static_cast<float>(1 + 20 * word + k);
    };
    TopicWeights weights(17, static_cast<std::uint32_t>(own.size()));
    for (std::uint64_t w = own.first; w < own.end; ++w) {
      for (std::size_t k = 0; k < 17; ++k) {
        weights.weights().at(w - own.first, k) = value(w, k);
      }
    }
    Threads threads(1);
    weights.sum(threads, sharding.shards());
    TopicRows rows(weights, sharding);
    const std::vector<std::vector<std::uint32_t>> pieces[2] = {
        {{299, 0, 5, 5, 130}, {}, {64, 63, 65}}, {{1}, {1, 2, 3, 200, 201, 202, 299}, {0}}};
    for (int round = 0; round < 3; ++round) {
      const auto& wanted = pieces[(comm.rank() + round) % 2];
      rows.begin();
      for (const auto& piece : wanted) {
        rows.want(piece);
        rows.end_piece();
      }
      rows.ask();
      for (const auto& piece : wanted) {
        rows.take(threads);
        EXPECT_EQ(std::ranges::adjacent_find(rows.words(), std::greater_equal()),
                  rows.words().end());
        EXPECT_TRUE(std::ranges::equal(rows.table().inverse_sums(), weights.inverse_sums()));
        for (const std::uint32_t word : piece) {
          ASSERT_EQ(rows.words()[rows.row(word)], word);
          for (std::size_t k = 0; k < 32; ++k) {
            EXPECT_EQ(rows.table().weights().at(rows.row(word), k), k < 17 ? value(word, k) : 0);
          }
        }
      }
    }
  });
}

// A step so large that weights have to be taken from their largest, which ranks agree on.
TEST_F(RanksTest, StepsBeyondTheRangeOfFloatsAgree) {
  TrainingPlan chosen = plan("smld");
  chosen.step_size = {30, 100, 0.6};
  const int ranks[] = {2, 7};
  expect_same_bits(*text_, chosen, 2, ranks);
}

/// A checkpoint in parts, as ranks write it.
struct Parts {
  std::string common;
  std::vector<std::string> words, documents;
  std::vector<Range> word_ranges, places;
};

Parts save(Training& training) {
  Comm& comm = training.sharding().comm();
  const auto all = [&](const std::string& own) {
    const auto transfer = comm.transfer();
    transfer->gather(std::as_bytes(std::span(own)));
    transfer->wait();
    std::vector<std::string> parts;
    for (int r = 0; r < comm.ranks(); ++r) {
      const auto bytes = transfer->from(r);
      parts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    return parts;
  };
  Archive common, own_words, own_documents;
  training.archive_common(common);
  training.archive_words(own_words, training.sharding().words());
  training.archive_documents(own_documents, training.places());
  Parts parts{common.finish(), all(own_words.finish()), all(own_documents.finish()), {}, {}};
  const Range own[2] = {training.sharding().words(), training.places()};
  for (const std::string& ranges :
       all(std::string(reinterpret_cast<const char*>(own), sizeof own))) {
    Range both[2];
    std::copy_n(ranges.data(), sizeof both, reinterpret_cast<char*>(both));
    parts.word_ranges.push_back(both[0]);
    parts.places.push_back(both[1]);
  }
  return parts;
}

void restore(Training& training, const Parts& parts) {
  const auto read = [](const std::string& bytes, const auto& take) {
    Archive a(bytes, "part");
    take(a);
    a.expect_end();
  };
  read(parts.common, [&](Archive& a) { training.archive_common(a); });
  for (std::size_t r = 0; r < parts.words.size(); ++r) {
    read(parts.words[r], [&](Archive& a) { training.archive_words(a, parts.word_ranges[r]); });
    read(parts.documents[r], [&](Archive& a) { training.archive_documents(a, parts.places[r]); });
  }
  training.restored(Archive(parts.common, "parts"));
}

// Stopped by n ranks in one layout in every phase, gone on by m in another.
TEST_F(RanksTest, CheckpointsGoOnOnOtherRanksInOtherLayouts) {
  const Corpus corpus = bags_->corpus();
  const HeldOut held_out(corpus, 10, NoiseField(1));
  TrainingPlan chosen = phases();
  const int last = 8;
  Threads threads(1);
  Training one(corpus, TrainingDocuments(corpus, held_out), chosen, threads);
  for (int t = 0; t < last; ++t) {
    one.step();
  }
  const Snapshot expected = snapshot(one);
  struct Change {
    int stop, from;
    Layout before;
    int to;
    Layout after;
  };
  for (const Change& change : {Change{2, 3, Layout::sharded, 2, Layout::replicated},
                               Change{4, 2, Layout::replicated, 3, Layout::sharded},
                               Change{5, 4, Layout::sharded, 7, Layout::sharded},
                               Change{7, 1, Layout::replicated, 4, Layout::sharded},
                               Change{7, 7, Layout::sharded, 1, Layout::replicated}}) {
    Parts parts;
    run_thread_ranks(change.from, [&](Comm& comm) {
      Threads own(1);
      Training training(corpus, TrainingDocuments(corpus, held_out), chosen,
                        Sharding(comm, change.before, words), own);
      for (int t = 0; t < change.stop; ++t) {
        training.step();
      }
      const Parts all = save(training);
      if (comm.is_root()) {
        parts = all;
        if (change.before == Layout::replicated) {  // every rank has all words
          parts.words.resize(1);
          parts.word_ranges.resize(1);
          for (std::size_t r = 1; r < parts.documents.size(); ++r) {
            Archive nothing;
            parts.words.push_back(nothing.finish());
            parts.word_ranges.push_back({0, 0});
          }
        }
      }
    });
    run_thread_ranks(change.to, [&](Comm& comm) {
      Threads own(1);
      Training training(corpus, TrainingDocuments(corpus, held_out), chosen,
                        Sharding(comm, change.after, words), own);
      training.step();  // to be forgotten
      restore(training, parts);
      for (int t = change.stop; t < last; ++t) {
        training.step();
      }
      expect_part(training, expected, "resumed after " + std::to_string(change.stop));
    });
  }
}

TEST_F(RanksTest, EvaluationsAndSharesAreThoseOfOneProcess) {
  const HeldOut held_out(*text_, 25, NoiseField(1));
  const GibbsPlan sweeps{.sweeps = 4, .burn_in = 2};
  std::vector<std::span<const std::uint32_t>> documents;
  for (std::size_t d = 0; d < held_out.documents().size(); ++d) {
    documents.push_back(held_out.observed(d));
  }
  Threads threads(2);
  Training one(*text_, TrainingDocuments(*text_, held_out), plan("sgrld"), threads);
  Predictive expected(held_out, sweeps, NoiseField(2));
  for (int t = 0; t < 2; ++t) {
    expected.evaluate(one.topics(), one.alpha(), one.steps(), threads);
    one.step();
  }
  const auto shares = tokens_by_topic(one.sharding(), one.topics(), one.alpha(), NoiseField(2),
                                      documents, sweeps, 5, threads);
  std::uint64_t tokens = 0;
  for (const auto document : documents) {
    tokens += 2 * document.size();
  }
  EXPECT_EQ(std::reduce(shares.begin(), shares.end()), tokens);
  for (const Layout layout : layouts) {
    for (const int ranks : {2, 3, 7}) {
      run_thread_ranks(ranks, [&](Comm& comm) {
        Threads own(1);
        const Sharding sharding(comm, layout, words);
        Training training(*text_, TrainingDocuments(*text_, held_out), plan("sgrld"), sharding,
                          own);
        Predictive predictive(held_out, sweeps, NoiseField(2));
        for (int t = 0; t < 2; ++t) {
          predictive.evaluate(training.topics(), sharding, training.alpha(), training.steps(), own);
          training.step();
        }
        EXPECT_EQ(predictive.last().value, expected.last().value);
        EXPECT_EQ(predictive.average().standard_error, expected.average().standard_error);
        EXPECT_EQ(tokens_by_topic(sharding, training.topics(), training.alpha(), NoiseField(2),
                                  documents, sweeps, 5, own),
                  shares);
      });
    }
  }
}

// What a step of kept assignments receives: 8 bytes a piece from every other rank, and the changes,
// of which a token that has a new topic makes two at most (count_codec.hpp: a byte each where
// topics are fewer than 32; a word is at most two bytes for its distance and two for its number).
TEST_F(RanksTest, TrafficIsThatOfChangedTokens) {
  const HeldOut held_out(*text_, 10, NoiseField(1));
  TrainingPlan chosen = phases();
  chosen.start = Start::random;
  chosen.descent = 0;
  chosen.optimize_alpha = 0;
  run_thread_ranks(2, [&](Comm& comm) {
    Threads own(1);
    Training training(*text_, TrainingDocuments(*text_, held_out), chosen,
                      Sharding(comm, Layout::replicated, words), own);
    for (int t = 0; t < 4; ++t) {
      training.step();  // two passes
    }
    const auto topics = [&] {
      std::vector<std::uint16_t> all;
      for (std::uint64_t p = training.places().first; p < training.places().end; ++p) {
        all.insert(all.end(), training.kept()->of(p).begin(), training.kept()->of(p).end());
      }
      return all;
    };
    const std::vector<std::uint16_t> before = topics();
    const std::uint64_t bytes = comm.traffic().bytes;
    training.step();
    const std::uint64_t received = comm.traffic().bytes - bytes;
    const std::vector<std::uint16_t> after = topics();
    std::uint64_t changed[2] = {0, 0};
    for (std::size_t i = 0; i < after.size(); ++i) {
      changed[comm.rank()] += after[i] != before[i] ? 1 : 0;
    }
    comm.sum(changed);
    const std::uint64_t others = changed[1 - comm.rank()];
    EXPECT_GT(others, 0U);
    EXPECT_GE(received, 8 + others);
    EXPECT_LE(received, 8 + 6 * others);
  });
}

}  // namespace
}  // namespace tain::ranks_test
