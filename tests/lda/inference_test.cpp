// Documents of any source and their topics: closed cases, bits, counts of unknown words.
#include "lda/inference/inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "core/file.hpp"
#include "core/npy.hpp"
#include "lda/engine/held_out.hpp"
#include "lda/inference/proportions_file.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_writer.hpp"
#include "text/vocabulary.hpp"
#include "tiny_model.hpp"

namespace tain::inference_test {
namespace {

namespace fs = std::filesystem;

struct Result {
  std::string name;
  std::uint64_t number, tokens, unknown;
  std::vector<float> topics;
  bool operator==(const Result&) const = default;
};

struct Inferred {
  std::vector<Result> documents;
  InferenceReport report;
};

Inferred infer(const ModelData& model, DocumentSource& source, const InferencePlan& plan = {},
               std::size_t thread_count = 1) {
  Threads threads(thread_count);
  Inferred inferred;
  inferred.report =
      infer_topics(model, source, plan, threads,
                   {.result =
                        [&](const InferredDocument& d) {
                          inferred.documents.push_back({std::string(d.name),
                                                        d.number,
                                                        d.tokens,
                                                        d.unknown,
                                                        {d.topics.begin(), d.topics.end()}});
                        }})
          .value();
  return inferred;
}

/// Documents at hand.
class Given final : public DocumentSource {
 public:
  explicit Given(std::vector<std::vector<std::uint32_t>> documents)
      : documents_(std::move(documents)) {}
  bool next(KnownWords& document) override {
    if (next_ == documents_.size()) {
      return false;
    }
    document = {"", documents_[next_++], 0};
    return true;
  }
  std::uint64_t consumed() const override { return next_; }
  std::optional<std::uint64_t> size() const override { return documents_.size(); }

 private:
  std::vector<std::vector<std::uint32_t>> documents_;
  std::size_t next_ = 0;
};

class InferenceTest : public ::testing::Test {
 protected:
  fs::path put(const std::string& name, std::string_view bytes) {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return folder_.path() / name;
  }
  /// Topics without a word in common: the topic of every token is known.
  ModelData separate() {
    ModelFacts facts = test::some_facts(2);
    facts.alpha = {0.5F, 1.5F};
    return test::model_of(folder_.path() / "model", {{3, 1, 0, 0}, {0, 0, 1, 1}}, facts,
                          {"cat", "dog", "sun", "moon"});
  }
  Inferred infer_file(const ModelData& model, const std::string& name, std::string_view bytes,
                      const SourceOptions& options = {}) {
    const OpenedSource source = open_source(put(name, bytes), model, options);
    return infer(model, *source.documents);
  }

  test::Folder folder_{"inference"};
};

TEST_F(InferenceTest, SeparateTopicsAreCounted) {
  const ModelData model = separate();
  Given source({{0, 1, 2}, {}, {3}});
  const Inferred found = infer(model, source);
  ASSERT_EQ(found.documents.size(), 3U);
  EXPECT_EQ(found.documents[0].topics, (std::vector<float>{2.5F / 5, 2.5F / 5}));
  EXPECT_EQ(found.documents[1].topics, (std::vector<float>{0.25F, 0.75F}));
  EXPECT_EQ(found.documents[2].topics, (std::vector<float>{0.5F / 3, 2.5F / 3}));
  EXPECT_EQ(found.documents[2].number, 3U);
  EXPECT_EQ(found.report.documents, 3U);
  EXPECT_EQ(found.report.tokens, 4U);
  EXPECT_EQ(found.report.without_words, 1U);
}

// Two topics that share their words, a document of three tokens: all eight assignments z have
// p(z) ~ prod_k alpha_k (alpha_k + 1) ... (alpha_k + n_k - 1) prod_i phi_{z_i w_i}.
TEST_F(InferenceTest, IsThePosteriorMean) {
  const double phi[2][2] = {{0.75, 0.25}, {0.4, 0.6}};
  const double alpha[2] = {0.5, 1.5};
  const std::vector<std::uint32_t> words{0, 0, 1};
  double total = 0, expected = 0;
  for (unsigned z = 0; z < 8; ++z) {
    double p = 1;
    double n[2] = {0, 0};
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned k = z >> i & 1;
      p *= phi[k][words[i]] * (alpha[k] + n[k]);
      n[k] += 1;
    }
    total += p;
    expected += p * (n[0] + alpha[0]) / (3 + 2);
  }
  expected /= total;
  ModelFacts facts = test::some_facts(2);
  facts.alpha = {0.5F, 1.5F};
  const ModelData model =
      test::model_of(folder_.path() / "model", {{0.75, 0.25}, {0.4, 0.6}}, facts, test::words(2));
  std::vector<double> values;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Given source({words});
    values.push_back(infer(model, source, {.sweeps = 40, .seed = seed}).documents[0].topics[0]);
  }
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 400;
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  // Five standard errors of the mean over seeds, as measured; they are below half a percent.
  const double error = std::sqrt(squares / 400 / 399);
  EXPECT_LT(error, 0.005);
  EXPECT_NEAR(mean, expected, 5 * error);
}

TEST_F(InferenceTest, ADocumentHasTheSameTopicsWhereverItStands) {
  const ModelData model =
      test::model_of(folder_.path() / "model", {{3, 1, 2}, {1, 1, 1}, {1, 5, 1}});
  std::vector<std::vector<std::uint32_t>> documents;
  for (std::uint32_t d = 0; d < 9000; ++d) {  // more than a batch
    documents.push_back({0, d % 3, d % 3, 2});
    std::ranges::sort(documents.back());
  }
  Given all(documents), again(documents), alone({documents[8999]});
  const Inferred one = infer(model, all), three = infer(model, again, {}, 3);
  ASSERT_EQ(one.documents.size(), 9000U);
  EXPECT_TRUE(one.documents == three.documents);
  EXPECT_EQ(one.documents[8999].number, 9000U);
  EXPECT_EQ(one.documents[8999].topics, infer(model, alone).documents[0].topics);
  EXPECT_EQ(one.documents[8999].topics, one.documents[2].topics);
  EXPECT_NE(one.documents[0].topics, one.documents[1].topics);
  Given other({documents[0]});
  EXPECT_NE(infer(model, other, {.sweeps = 50, .seed = 2}).documents[0].topics,
            one.documents[0].topics);
}

TEST_F(InferenceTest, StopsWhenAsked) {
  const ModelData model = separate();
  Given source({{0}, {1}});
  Threads threads(1);
  EXPECT_FALSE(infer_topics(model, source, {}, threads,
                            {.result = [](const InferredDocument&) {},
                             .progress = [](const WorkProgress&) { return Next::stop; }}));
  EXPECT_THROW(infer(model, source, {.sweeps = 1}), Error);
}

// Cut by the rule of the model's manifest (ascii), known by spelling, counted where unknown.
TEST_F(InferenceTest, ReadsText) {
  const ModelData model = separate();
  const Inferred text = infer_file(model, "a.txt", "Dog's cat, moon mars\n\nCAT cat 'dog'\n");
  ASSERT_EQ(text.documents.size(), 3U);
  EXPECT_EQ(text.documents[0].tokens, 2U);   // cat, moon
  EXPECT_EQ(text.documents[0].unknown, 2U);  // dogs, mars
  EXPECT_EQ(text.documents[0].name, "1");
  EXPECT_EQ(text.documents[1].tokens, 0U);
  EXPECT_EQ(text.documents[2].tokens, 3U);
  EXPECT_EQ(text.report.unknown_tokens, 2U);
  EXPECT_EQ(text.report.without_words, 1U);
  const Inferred tsv = infer_file(model, "a.tsv", "x\tTitle\tcat moon\ny\tOther\tsun\n");
  EXPECT_EQ(tsv.documents[1].name, "y");
  EXPECT_EQ(tsv.documents[1].tokens, 1U);
}

TEST_F(InferenceTest, ReadsBags) {
  const ModelData model = separate();
  const Inferred numbers = infer_file(model, "a.ldac", "2 0:1 2:3\n1 3:1\n");
  EXPECT_EQ(numbers.documents[0].topics, (std::vector<float>{1.5F / 6, 4.5F / 6}));
  EXPECT_EQ(numbers.documents[0].name, "");
  const Inferred named =
      infer_file(model, "a.vw", "x| moon:3 cat mars\ny| sun\n", {.format = Format::vw});
  EXPECT_EQ(named.documents[0].topics, (std::vector<float>{1.5F / 6, 4.5F / 6}));
  EXPECT_EQ(named.documents[0].unknown, 1U);
  EXPECT_EQ(named.documents[0].name, "x");
  // Numbers of another list of words.
  const SourceOptions other{.format = Format::ldac,
                            .vocabulary = put("words", "moon\nmars\ncat\n")};
  const Inferred mapped = infer_file(model, "b.ldac", "3 0:3 1:2 2:1\n", other);
  EXPECT_EQ(mapped.documents[0].topics, (std::vector<float>{1.5F / 6, 4.5F / 6}));
  EXPECT_EQ(mapped.documents[0].unknown, 2U);
  EXPECT_THROW(infer_file(model, "c.ldac", "1 9:1\n", {.format = Format::ldac}), Error);
  EXPECT_THROW(infer_file(model, "d.ldac", "1 0:2000000000\n", {.format = Format::ldac}), Error);
  EXPECT_THROW(infer_file(model, "e.txt", "cat\n", {.vocabulary = put("words", "moon\n")}), Error);
}

TEST_F(InferenceTest, ReadsCorporaBySpelling) {
  const ModelData model = separate();
  CorpusWriter writer(folder_.path() / "corpus", Order::text, Overwrite::no);
  writer.add(std::vector<std::uint32_t>{2, 0, 1, 1}, "first", "");
  writer.add(std::vector<std::uint32_t>{}, "second", "");
  writer.finish(std::vector<std::string>{"moon", "mars", "cat"}, "{}");
  const OpenedSource source = open_source(folder_.path() / "corpus", model);
  const Inferred found = infer(model, *source.documents);
  ASSERT_EQ(found.documents.size(), 2U);
  EXPECT_EQ(found.documents[0].topics, (std::vector<float>{1.5F / 4, 2.5F / 4}));
  EXPECT_EQ(found.documents[0].unknown, 2U);
  EXPECT_EQ(found.documents[0].name, "first");
  EXPECT_EQ(source.documents->unit(), WorkProgress::Unit::documents);
}

TEST_F(InferenceTest, TokenizersComeFromTheManifest) {
  const ModelData model = separate();
  EXPECT_EQ(model_tokenizer(model).rule, TokenRule::ascii);
  ModelFacts facts = test::some_facts(1);
  facts.corpus_manifest =
      R"({"tokenizer":{"rule":"unicode","keep_case":true,"min_length":3,"max_length":9,)"
      R"("stop_words":"/no/such/file","stemmer":"none"}})";
  const ModelData other = test::model_of(folder_.path() / "other", {{1, 1}}, facts, {"Cat", "dog"});
  const TokenizerOptions options = model_tokenizer(other);
  EXPECT_EQ(options.letter_case, LetterCase::keep);
  EXPECT_EQ(options.min_characters, 3U);
  EXPECT_EQ(options.max_characters, 9U);
  EXPECT_EQ(options.stop_words, "none");
  facts.corpus_manifest = "";
  const ModelData bare = test::model_of(folder_.path() / "bare", {{1, 1}}, facts, {"cat", "dog"});
  EXPECT_EQ(model_tokenizer(bare).stop_words, "english");
}

// Words that the topics do not have are dropped before every tenth token is taken.
TEST_F(InferenceTest, HeldOutDocumentsOfAnotherVocabulary) {
  std::vector<std::uint32_t> tokens, kept;
  for (std::uint32_t i = 0; i < 45; ++i) {
    tokens.push_back(i % 3);
    if (i % 3 != 1) {
      kept.push_back(i % 3 == 0 ? 5 : 7);
    }
  }
  CorpusWriter writer(folder_.path() / "corpus", Order::text, Overwrite::no);
  writer.add(tokens, "", "");
  writer.finish(test::words(3), "{}");
  const Corpus corpus = Corpus::open(folder_.path() / "corpus");
  const HeldOut held_out(corpus, std::vector<std::uint32_t>{5, Vocabulary::none, 7}, NoiseField(1));
  EXPECT_EQ(held_out.dropped_tokens(), 15U);
  ASSERT_EQ(held_out.test(0).size(), 3U);
  EXPECT_EQ(held_out.test(0)[0], kept[9]);
  EXPECT_EQ(held_out.test(0)[2], kept[29]);
  EXPECT_EQ(held_out.observed(0).size(), 27U);
  EXPECT_EQ(held_out.observed(0)[9], kept[10]);
}

class ProportionsTest : public InferenceTest {
 protected:
  std::string written(ProportionsFormat format, const std::string& name) {
    const std::vector<float> theta{0.1F, 0.9F};
    const std::unique_ptr<ProportionsFile> file =
        write_proportions(folder_.path() / name, name, format, 2);
    file->add({.number = 1,
               .name = "a \"b\", c",
               .tokens = 3,
               .unknown = 1,
               .topics = theta,
               .counts = {}});
    file->add({.number = 2, .name = "", .tokens = 0, .unknown = 0, .topics = theta, .counts = {}});
    file->finish();
    return read_file(folder_.path() / name);
  }
};

TEST_F(ProportionsTest, AsText) {
  EXPECT_EQ(written(ProportionsFormat::csv, "a.csv"),
            "document,topic 1,topic 2\n\"a \"\"b\"\", c\",0.1,0.9\n2,0.1,0.9\n");
  EXPECT_EQ(written(ProportionsFormat::jsonl, "a.jsonl"),
            "{\"document\":\"a \\\"b\\\", c\",\"topics\":[0.1,0.9],\"tokens\":3,\"unknown\":1}\n"
            "{\"document\":2,\"topics\":[0.1,0.9],\"tokens\":0,\"unknown\":0}\n");
}

TEST_F(ProportionsTest, AsAnArray) {
  const std::string bytes = written(ProportionsFormat::npy, "a.npy");
  const NpyHead head = parse_npy_head(bytes, "a.npy");
  EXPECT_EQ(head.type, "<f4");
  EXPECT_EQ(head.shape, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(npy_items(head, bytes.size() - head.data_offset, 4, "a.npy"), 4U);
  EXPECT_THROW(write_proportions("-", "-", ProportionsFormat::npy, 2), Error);
  EXPECT_THROW(written(ProportionsFormat::npy, "a.npy.gz"), Error);
}

TEST_F(ProportionsTest, FormatsByEnding) {
  EXPECT_EQ(proportions_format("a.b/x.npy"), ProportionsFormat::npy);
  EXPECT_EQ(proportions_format("x.csv.gz"), ProportionsFormat::csv);
  EXPECT_EQ(proportions_format("x.jsonl"), ProportionsFormat::jsonl);
  EXPECT_EQ(proportions_format("x.txt"), std::nullopt);
}

}  // namespace
}  // namespace tain::inference_test
