// Synthetic corpora: the laws of the model, the same bytes for any number of threads.
#include "text/synthetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

#include "support/errors.hpp"
#include "support/folder.hpp"
#include "support/gammas.hpp"
#include "support/statistics.hpp"
#include "tain/core/error.hpp"
#include "tain/text/corpus.hpp"
#include "text/import.hpp"
#include "text/synthetic_documents.hpp"

namespace tain::synthetic_test {
namespace {

namespace fs = std::filesystem;
using text::DocumentBlock;
using text::SyntheticModel;

/// A model with its topics drawn.
struct DrawnModel {
  explicit DrawnModel(const SyntheticPlan& plan)
      : model(plan), topics(plan.topics, std::vector<float>(plan.vocab_size)) {
    for (std::uint32_t k = 0; k < plan.topics; ++k) {
      model.draw_topic(k, topics[k]);
    }
  }
  /// n documents; those of different streams are different documents.
  DocumentBlock documents(std::uint64_t stream, std::size_t n) const {
    DocumentBlock block;
    model.draw_documents(stream << 30, (stream << 30) + n, block);
    return block;
  }
  SyntheticModel model;
  std::vector<std::vector<float>> topics;
};

SyntheticPlan small_plan() {
  SyntheticPlan plan;
  plan.topics = 3;
  plan.vocab_size = 4;
  plan.mean_length = 12;
  plan.alpha = 0.5;
  plan.eta = 1.5;
  plan.base = BaseFrequencies::uniform;
  plan.proportions = true;
  return plan;
}

// ---- words -------------------------------------------------------------------------------------

class Collect final : public TokenSink {
 public:
  void put(std::string_view token) override { tokens.emplace_back(token); }
  std::vector<std::string> tokens;
};

TEST(SyntheticWords, AreTokensOfBothRulesAndNoStopWords) {
  const std::vector<std::string> words = synthetic_words(20'000);
  std::string text;
  for (const std::string& word : words) {
    text += word + " ";
  }
  for (const TokenRule rule : {TokenRule::unicode, TokenRule::ascii}) {
    Collect sink;
    Tokenizer tokenizer({.rule = rule});
    tokenizer.tokens(text, sink);
    EXPECT_EQ(sink.tokens, words);
  }
}

TEST(SyntheticWords, AreAllDifferentBeyondThreeSyllables) {
  const std::vector<std::string> words = synthetic_words(512'500);
  EXPECT_EQ(words.front().size(), 6u);
  EXPECT_EQ(words.back().size(), 8u);
  EXPECT_EQ(std::set<std::string_view>(words.begin(), words.end()).size(), words.size());
}

TEST(SyntheticWords, AreTheSameForEveryVocabulary) {
  const std::vector<std::string> few = synthetic_words(100), many = synthetic_words(200);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

// ---- alias tables ------------------------------------------------------------------------------

TEST(AliasTable, DrawsItsWeights) {
  const std::vector<float> weights{0.5F, 0, 3, 0.25F, 1, 0.25F, 7};
  std::vector<double> probabilities;
  for (const float weight : weights) {
    probabilities.push_back(weight / 12.0);
  }
  std::vector<text::AliasColumn> table(weights.size());
  text::AliasBuilder().build(weights, table);
  const auto counts = [&](std::uint64_t stream, std::size_t n) {
    std::vector<std::size_t> found(weights.size());
    Stream words(NoiseField(9), Purpose::check, stream, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t high = words.word(), low = words.word();
      const text::AliasPlace place(high, low, static_cast<std::uint32_t>(weights.size()));
      ++found[place.chosen(table[place.column])];
    }
    EXPECT_EQ(found[1], 0u);
    found.erase(found.begin() + 1);
    return found;
  };
  probabilities.erase(probabilities.begin() + 1);
  testing::expect_counts(counts, probabilities);
  std::swap(probabilities[0], probabilities[2]);
  EXPECT_TRUE(testing::detects_counts(counts, probabilities));
}

// Exactly: the mass of a word, added up over the columns, is its weight to 2^-32.
TEST(AliasTable, HoldsItsWeightsTo32Bits) {
  std::vector<float> weights(1000);
  testing::GammaSource gamma(NoiseField(3), Purpose::check, 0, 0);
  double sum = 0;
  for (float& weight : weights) {
    weight = static_cast<float>(gamma(0.1));
    sum += weight;
  }
  std::vector<text::AliasColumn> table(weights.size());
  text::AliasBuilder().build(weights, table);
  std::vector<double> mass(weights.size());
  for (std::size_t c = 0; c < table.size(); ++c) {
    mass[c] += table[c].threshold * 0x1p-32;
    mass[table[c].alias] += 1 - table[c].threshold * 0x1p-32;
  }
  for (std::size_t i = 0; i < mass.size(); ++i) {
    // A heavy word takes what 999 thresholds lost by rounding, 2^-32 each.
    EXPECT_NEAR(mass[i] / 1000, weights[i] / sum, 0x1p-32);
  }
}

TEST(AliasTable, PlacesCoverEveryColumnToItsEnds) {
  for (const std::uint32_t columns : {1u, 7u, 0x7FFF'FFFFu, 0xFFFF'FFFFu}) {
    EXPECT_EQ(text::AliasPlace(0, 0, columns).column, 0u);
    EXPECT_EQ(text::AliasPlace(0xFFFF'FFFF, 0xFFFF'FFFF, columns).column, columns - 1);
  }
}

// ---- the model's laws, each with 1e-8 false alarms ---------------------------------------------

TEST(SyntheticLaws, LengthsArePoisson) {
  const DrawnModel drawn(small_plan());
  const auto lengths = [&](std::uint64_t stream, std::size_t n) {
    const DocumentBlock block = drawn.documents(stream, n);
    std::vector<double> all(n);
    for (std::size_t d = 0; d < n; ++d) {
      all[d] = static_cast<double>(block.ends[d] - (d == 0 ? 0 : block.ends[d - 1]));
    }
    return all;
  };
  const double mean = 12;
  testing::expect_mean(lengths, mean, std::sqrt(mean));
  testing::expect_variance(lengths, mean, std::sqrt(mean), 3 + 1 / mean);
  EXPECT_TRUE(testing::detects_mean(lengths, 1.02 * mean, std::sqrt(mean)));
}

TEST(SyntheticLaws, ProportionsAreDirichlet) {
  const DrawnModel drawn(small_plan());
  // Beta(alpha, (K - 1) alpha) = Beta(1/2, 1), whose distribution function is sqrt(x).
  for (const std::size_t k : {0u, 2u}) {
    const auto proportion = [&](std::uint64_t stream, std::size_t n) {
      const DocumentBlock block = drawn.documents(stream, n);
      std::vector<double> all(n);
      for (std::size_t d = 0; d < n; ++d) {
        all[d] = block.proportions[3 * d + k];
      }
      return all;
    };
    testing::expect_distribution(proportion, [](double x) { return std::sqrt(x); });
    EXPECT_TRUE(
        testing::detects_distribution(proportion, [](double x) { return std::pow(x, 0.55); }));
  }
}

/// How often the first two tokens of a document are which words; shorter documents do not count.
testing::Counts pairs_of(const DrawnModel& drawn, std::size_t words) {
  return [&drawn, words](std::uint64_t stream, std::size_t n) {
    const DocumentBlock block = drawn.documents(stream, n);
    std::vector<std::size_t> counts(words * words);
    for (std::size_t d = 0; d < n; ++d) {
      const std::size_t begin = d == 0 ? 0 : block.ends[d - 1];
      if (block.ends[d] - begin >= 2) {
        ++counts[block.tokens[begin] * words + block.tokens[begin + 1]];
      }
    }
    return counts;
  };
}

// P(w, v) = sum_kl E[theta_k theta_l] phi_kw phi_lv, with E[theta_k theta_l] =
// (alpha^2 + alpha [k = l]) / (K alpha (K alpha + 1)). If proportions were drawn anew for every
// token it would be the product of the marginals.
TEST(SyntheticLaws, TwoTokensOfADocumentShareItsProportions) {
  const SyntheticPlan plan = small_plan();
  const DrawnModel drawn(plan);
  std::vector<double> shared(16), independent(16);
  const double a = plan.alpha, sum = 3 * a;
  for (std::size_t w = 0; w < 4; ++w) {
    for (std::size_t v = 0; v < 4; ++v) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) {
          const double both = double{drawn.topics[k][w]} * double{drawn.topics[l][v]};
          shared[4 * w + v] += (a * a + (k == l ? a : 0)) / (sum * (sum + 1)) * both;
          independent[4 * w + v] += both / 9;
        }
      }
    }
  }
  testing::expect_counts(pairs_of(drawn, 4), shared);
  EXPECT_TRUE(testing::detects_counts(pairs_of(drawn, 4), independent));
}

// With two words, phi_1 ~ Beta(2 eta b_1, 2 eta b_2): mean b_1, variance b_1 b_2 / (2 eta + 1).
TEST(SyntheticLaws, TopicsFollowTheirBaseFrequencies) {
  for (const BaseFrequencies base : {BaseFrequencies::uniform, BaseFrequencies::zipf}) {
    SyntheticPlan plan = small_plan();
    plan.vocab_size = 2;
    plan.base = base;
    const auto first_words = [&](std::uint64_t stream, std::size_t n) {
      plan.seed = stream;
      plan.topics = static_cast<std::uint32_t>(n);
      std::vector<double> all;
      for (const std::vector<float>& topic : DrawnModel(plan).topics) {
        EXPECT_NEAR(double{topic[0]} + double{topic[1]}, 1.0, 0x1p-23);
        all.push_back(topic[0]);
      }
      return all;
    };
    const double b = base == BaseFrequencies::zipf ? 4.7 / (3.7 + 4.7) : 0.5;
    const double deviation = std::sqrt(b * (1 - b) / (2 * plan.eta + 1));
    testing::expect_mean(first_words, b, deviation);
    EXPECT_TRUE(testing::detects_mean(first_words, b + 0.05 * deviation, deviation));
  }
}

// ---- corpora -----------------------------------------------------------------------------------

class Synthetic : public ::testing::Test {
 protected:
  Corpus make(SyntheticPlan plan, const std::string& name, std::size_t threads = 1) const {
    plan.threads = threads;
    return synthesize_corpus(folder_ / name, plan);
  }
  std::string bytes(const std::string& corpus, const std::string& name) const {
    std::ifstream stream(folder_ / corpus / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// The numbers of an npy file whose head is 128 bytes long.
  std::vector<float> numbers(const std::string& corpus, const std::string& name,
                             const std::string& shape) const {
    const std::string all = bytes(corpus, name);
    EXPECT_NE(all.find("'descr': '<f4', 'fortran_order': False, 'shape': " + shape),
              std::string::npos);
    const std::size_t head = 10 + static_cast<unsigned char>(all[8]);
    EXPECT_EQ(head % 64, 0u);
    std::vector<float> values((all.size() - head) / sizeof(float));
    std::memcpy(values.data(), all.data() + head, values.size() * sizeof(float));
    return values;
  }
  const test::Folder folder_{"synthetic"};
};

SyntheticPlan medium_plan() {
  SyntheticPlan plan;
  plan.docs = 3000;
  plan.topics = 7;
  plan.vocab_size = 300;
  plan.mean_length = 90;
  plan.base = BaseFrequencies::uniform;
  plan.proportions = true;
  plan.seed = 5;
  return plan;
}

TEST_F(Synthetic, ThreadsDoNotChangeAByte) {
  const Corpus corpus = make(medium_plan(), "one", 1);
  make(medium_plan(), "three", 3);
  for (const char* name :
       {"corpus.bin", "vocab.txt", "manifest.json", "topics.npy", "proportions.npy"}) {
    EXPECT_FALSE(bytes("one", name).empty());
    EXPECT_TRUE(bytes("one", name) == bytes("three", name)) << name;
  }
  EXPECT_EQ(corpus.documents(), 3000u);
  EXPECT_EQ(corpus.words(), 300u);
  EXPECT_EQ(corpus.order(), Order::text);
  SyntheticPlan other = medium_plan();
  other.seed = 6;
  EXPECT_NE(make(other, "other").fingerprint(), corpus.fingerprint());
}

TEST_F(Synthetic, LongerCorporaBeginAlike) {
  const Corpus all = make(medium_plan(), "long", 2);
  SyntheticPlan plan = medium_plan();
  plan.docs = 701;
  plan.proportions = false;
  const Corpus some = make(plan, "short", 2);
  EXPECT_FALSE(fs::exists(folder_ / "short" / "proportions.npy"));
  for (std::uint64_t d = 0; d < 701; ++d) {
    EXPECT_TRUE(std::ranges::equal(all.document(d).ids, some.document(d).ids)) << d;
  }
  EXPECT_TRUE(bytes("long", "topics.npy") == bytes("short", "topics.npy"));
}

// alpha is so small that a document has one topic, which proportions.npy names; counting its words
// gives the topic back. For n tokens, P(|p^ - p|_1 > sqrt(W / n) + e) <= exp(-n e^2 / 2) (bounded
// differences of 2 / n); e makes that 1e-9 for each of the topics.
TEST_F(Synthetic, CountingGivesTheTopicsBack) {
  SyntheticPlan plan = medium_plan();
  plan.alpha = 1e-7;
  const Corpus corpus = make(plan, "c", 2);
  const std::vector<float> topics = numbers("c", "topics.npy", "(7, 300)");
  const std::vector<float> proportions = numbers("c", "proportions.npy", "(3000, 7)");
  std::vector<std::vector<double>> counts(7, std::vector<double>(300));
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const auto row = std::span(proportions).subspan(7 * d, 7);
    const auto topic = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    EXPECT_NEAR(row[topic], 1.0, 1e-6);
    for (const std::uint32_t id : corpus.document(d).ids) {
      ++counts[topic][id];
    }
  }
  for (std::size_t k = 0; k < 7; ++k) {
    const double n = std::accumulate(counts[k].begin(), counts[k].end(), 0.0);
    double total = 0, distance = 0, to_next = 0;
    for (std::size_t w = 0; w < 300; ++w) {
      total += topics[300 * k + w];
      distance += std::abs(counts[k][w] / n - topics[300 * k + w]);
      to_next += std::abs(counts[k][w] / n - topics[300 * ((k + 1) % 7) + w]);
    }
    const double bound = std::sqrt(300 / n) + std::sqrt(2 * std::log(1e9) / n);
    EXPECT_NEAR(total, 1.0, 300 * 0x1p-24);
    EXPECT_LT(distance, bound);
    EXPECT_GT(to_next, bound);  // another topic would be seen
  }
}

TEST_F(Synthetic, ExportedTextImportsAgain) {
  const Corpus corpus = make(medium_plan(), "c");
  corpus.export_to(folder_ / "text", {.format = "text"});
  ImportSettings plan;  // with English stop words, as by default
  plan.source = folder_ / "text";
  plan.format = Format::text;
  plan.vocabulary = folder_ / "c" / "vocab.txt";
  Threads threads(1);
  import_documents(plan, folder_ / "back", Overwrite::no, threads, {});
  EXPECT_EQ(Corpus::open(folder_ / "back").fingerprint(), corpus.fingerprint());
}

TEST_F(Synthetic, ExtremeParametersStayFinite) {
  SyntheticPlan plan = medium_plan();
  plan.docs = 50;
  plan.alpha = plan.eta = 1e-300;
  make(plan, "sparse");
  for (const float value : numbers("sparse", "proportions.npy", "(50, 7)")) {
    EXPECT_TRUE(value == 0.0F || value == 1.0F);
  }
  plan.alpha = plan.eta = 1e12;
  make(plan, "even");
  for (const float value : numbers("even", "topics.npy", "(7, 300)")) {
    EXPECT_NEAR(value, 1.0 / 300, 1e-7);
  }
  plan.topics = plan.vocab_size = 1;
  plan.mean_length = 0.01;
  EXPECT_EQ(make(plan, "tiny").words(), 1u);
}

TEST_F(Synthetic, WrongPlansAreRefused) {
  const auto refused = [&](std::string_view field, auto change) {
    SyntheticPlan plan = medium_plan();
    change(plan);
    const std::string message =
        test::message_of(Fault::config, [&] { synthesize_corpus(folder_ / "c", plan); });
    EXPECT_TRUE(message.starts_with(std::string(field) + ": ")) << message;
    EXPECT_TRUE(fs::is_empty(folder_.path()));
  };
  refused("docs", [](SyntheticPlan& plan) { plan.docs = 0; });
  refused("docs", [](SyntheticPlan& plan) { plan.docs = std::uint64_t{1} << 48; });
  refused("topics", [](SyntheticPlan& plan) { plan.topics = 0; });
  refused("topics", [](SyntheticPlan& plan) { plan.topics = plan.vocab_size = 2'000'000'000; });
  refused("vocab_size", [](SyntheticPlan& plan) { plan.vocab_size = 0; });
  refused("alpha", [](SyntheticPlan& plan) { plan.alpha = 0; });
  refused("alpha",
          [](SyntheticPlan& plan) { plan.alpha = std::numeric_limits<double>::infinity(); });
  refused("eta", [](SyntheticPlan& plan) { plan.eta = -1; });
  refused("mean_length", [](SyntheticPlan& plan) { plan.mean_length = std::nan(""); });
  refused("mean_length", [](SyntheticPlan& plan) { plan.mean_length = 1e9; });
}

TEST_F(Synthetic, WhatIsThereStays) {
  const Corpus corpus = make(medium_plan(), "c");
  SyntheticPlan other = medium_plan();
  other.seed = 6;
  test::expect_error([&] { make(other, "c"); }, Fault::cannot_create, "overwrite = true");
  EXPECT_EQ(Corpus::open(folder_ / "c").fingerprint(), corpus.fingerprint());
  other.overwrite = true;
  EXPECT_NE(make(other, "c").fingerprint(), corpus.fingerprint());
  fs::create_directories(folder_ / "mine" / "kept");
  test::expect_error([&] { make(other, "mine"); }, Fault::cannot_create, "is no corpus");
  EXPECT_TRUE(fs::exists(folder_ / "mine" / "kept"));
}

TEST_F(Synthetic, TheReportIsTheManifest) {
  SyntheticPlan plan = medium_plan();
  SyntheticReport report;
  plan.report = [&](const SyntheticReport& done) { report = done; };
  const Corpus corpus = make(plan, "c");
  EXPECT_EQ(report.documents, corpus.documents());
  EXPECT_EQ(report.tokens, corpus.tokens());
  EXPECT_EQ(report.manifest, bytes("c", "manifest.json"));
}

TEST_F(Synthetic, StoppingLeavesNothing) {
  for (const std::string_view phase : {"drawing topics", "writing"}) {
    SyntheticPlan plan = medium_plan();
    plan.progress = [&](const WorkProgress& now) {
      return now.phase == phase ? Next::stop : Next::go_on;
    };
    test::expect_error([&] { make(plan, "c", 2); }, Fault::interrupted, "nothing was written");
    EXPECT_TRUE(fs::is_empty(folder_.path()));
  }
}

}  // namespace
}  // namespace tain::synthetic_test
