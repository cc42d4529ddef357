// Models on disk: what is written is what is read, and damage is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/checksum.hpp"
#include "core/file.hpp"
#include "core/npy.hpp"
#include "lda/model/model_data.hpp"
#include "lda/model/model_manifest.hpp"
#include "tain/core/error.hpp"
#include "tiny_model.hpp"

namespace tain::model_test {
namespace {

namespace fs = std::filesystem;
using test::Rows;

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Of opening a folder; empty if it opens.
std::string error_of(const fs::path& folder, Fault expected = Fault::data) {
  try {
    ModelData::open(folder);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), expected) << error.what();
    return error.what();
  }
}

class ModelTest : public ::testing::Test {
 protected:
  test::Folder folder_{"model"};
  const fs::path path_ = folder_.path() / "model";
};

/// 19 topics: more than a cache line of them, and not a multiple of it.
Rows uneven_topics() {
  Rows rows(19, std::vector<double>(7));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t w = 0; w < 7; ++w) {
      rows[k][w] = k == 3 && w == 2 ? 0 : 1.0 + static_cast<double>((3 * k + 5 * w) % 11);
    }
  }
  return rows;
}

TEST_F(ModelTest, WhatIsWrittenIsRead) {
  const Rows rows = uneven_topics();
  ModelFacts facts = test::some_facts(rows.size());
  facts.alpha[2] = 0.3F;
  const ModelData model = test::model_of(path_, rows, facts, test::words(7));
  EXPECT_EQ(model.facts().method, "smld-root");
  EXPECT_EQ(model.facts().seed, 7U);
  EXPECT_EQ(model.facts().eta, 0.01);
  EXPECT_EQ(model.facts().alpha, facts.alpha);
  EXPECT_EQ(model.facts().corpus_fingerprint, 0xFEDC'BA98'7654'3210);
  EXPECT_EQ(model.facts().corpus_documents, 20U);
  EXPECT_EQ(model.facts().held_out, 5U);
  EXPECT_EQ(model.facts().steps, 100U);
  EXPECT_EQ(model.facts().documents_seen, 5000U);
  EXPECT_EQ(model.facts().draws_kept, 50U);
  EXPECT_EQ(model.facts().corpus_folder, "/somewhere/corpus");
  EXPECT_EQ(model.facts().corpus_manifest, facts.corpus_manifest);
  EXPECT_EQ(model.vocabulary().size(), 7U);
  EXPECT_EQ(model.vocabulary()[6], "w6");
  EXPECT_NE(model.manifest().find("\"stopped\": \"steps\""), std::string::npos);
  EXPECT_NE(model.manifest().find("0.3"), std::string::npos);
  ASSERT_EQ(model.topics().topics(), 19U);
  ASSERT_EQ(model.topics().words(), 7U);
  for (std::size_t k = 0; k < 19; ++k) {
    double sum = 0;
    for (const double weight : rows[k]) {
      sum += weight;
    }
    for (std::size_t w = 0; w < 7; ++w) {
      EXPECT_EQ(model.topics().weights().at(w, k), static_cast<float>(rows[k][w] / sum));
    }
    EXPECT_NEAR(model.topics().inverse_sums()[k], 1, 1e-6);
  }
  EXPECT_EQ(model.topics().inverse_sums()[19], 0);
}

TEST_F(ModelTest, TheDualIsTheLogarithmOfTheLastDraw) {
  test::model_of(path_, {{1, 3}, {1, 0}});
  const std::string bytes = read_file(path_ / "dual.npy");
  const NpyHead head = parse_npy_head(bytes, "dual.npy");
  EXPECT_EQ(head.shape, (std::vector<std::uint64_t>{2, 2}));
  std::array<float, 4> values{};
  ASSERT_EQ(bytes.size() - head.data_offset, sizeof values);
  std::memcpy(values.data(), bytes.data() + head.data_offset, sizeof values);
  EXPECT_FLOAT_EQ(values[0], std::log(0.25F));
  EXPECT_FLOAT_EQ(values[1], std::log(0.75F));
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values[3], -std::numeric_limits<float>::infinity());
}

TEST_F(ModelTest, FactsWinOverDetailsOfTheSameName) {
  fs::create_directories(path_);
  const FloatBlockStorage cells = test::word_major({{1, 3}});
  const std::vector<std::string> vocabulary = test::words(2);
  write_model(path_, {.facts = test::some_facts(1),
                      .vocabulary = vocabulary,
                      .topics = cells.view(),
                      .last_draw = cells.view(),
                      .details = R"({"seed":99,"files":1,"checksum":"x","note":"kept"})",
                      .history = "",
                      .card = ""});
  const ModelData model = ModelData::open(path_);
  EXPECT_EQ(model.facts().seed, 7U);
  EXPECT_NE(model.manifest().find("kept"), std::string::npos);
}

TEST_F(ModelTest, EveryDamagedByteIsRefused) {
  test::model_of(path_, {{1, 3, 2}, {1, 2, 1}});
  for (const char* name : {"topics.npy", "dual.npy", "vocab.txt", "manifest.json"}) {
    const std::string bytes = read_file(path_ / name);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      put(path_ / name, flipped);
      EXPECT_NE(error_of(path_), "") << name << " byte " << i;
    }
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
      put(path_ / name, bytes.substr(0, size));
      EXPECT_NE(error_of(path_), "") << name << " cut to " << size;
    }
    put(path_ / name, bytes + "x");
    EXPECT_NE(error_of(path_), "") << name << " with a byte more";
    fs::remove(path_ / name);
    EXPECT_NE(
        error_of(path_, std::string_view(name) == "manifest.json" ? Fault::no_input : Fault::data),
        "");
    put(path_ / name, bytes);
    EXPECT_EQ(error_of(path_), "") << name << " mended";
  }
}

TEST_F(ModelTest, WhatPeopleMayEditIsNotChecked) {
  test::model_of(path_, {{1, 3}});
  put(path_ / "README.md", "# My own words\n");
  fs::remove(path_ / "history.csv");
  EXPECT_EQ(error_of(path_), "");
}

/// Replaces a part of the manifest and seals it again: checks behind the checksum.
std::string with(const std::string& manifest, const std::string& from, const std::string& to) {
  std::string text = manifest;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  EXPECT_TRUE(model_manifest::seal(text));
  return text;
}

TEST_F(ModelTest, ManifestsThatLieAreRefused) {
  test::model_of(path_, {{1, 3, 2}, {1, 2, 1}});
  const std::string good = read_file(path_ / "manifest.json");
  const std::vector<std::array<std::string, 3>> lies{
      {"\"topics\": 2", "\"topics\": 3", "weights alpha"},
      {"\"topics\": 2", "\"topics\": 4000000000", "speaks of"},
      {"\"topics\": 2", "\"topics\": 2.5", "a count that is none"},
      {"\"topics\": 2", "\"topics\": -2", "a count that is none"},
      {"\"words\": 3", "\"words\": 4", "no array of 2 topics and 4 words"},
      {"\"words\": 3", "\"words\": 0", "speaks of"},
      {"\"eta\": 0.01", "\"eta\": \"much\"", "a number that is none"},
      {"    0.1,", "    -0.1,", "a weight alpha of -0.1"},
      {"\"held_out\": 5", "\"held_out\": 50", "holds out 50 of 20"},
      {"\"method\"", "\"methos\"", "lacks what a model needs"},
      {"fedcba98", "fedcbax8", "a checksum that is no number"},
      {"\"version\": 1", "\"version\": 2", "has format 2 of models, this program reads 1"},
      {"tain topic model", "tain tropic model", "is not the manifest of a model"},
  };
  for (const auto& [from, to, message] : lies) {
    put(path_ / "manifest.json", with(good, from, to));
    const std::string error = error_of(path_);
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

/// An array that is whole, but whose rows are no distributions.
TEST_F(ModelTest, RowsThatAreNoDistributionsAreRefused) {
  test::model_of(path_, {{1, 3}, {1, 1}});
  const std::string manifest = read_file(path_ / "manifest.json");
  const std::string good = read_file(path_ / "topics.npy");
  const auto hexadecimal = [](std::string_view bytes) {
    Checksum checksum;
    checksum.add(std::as_bytes(std::span(bytes)));
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(checksum.value()));
    return std::string(text);
  };
  const float values[]{1.5F, -0.5F, std::numeric_limits<float>::quiet_NaN(), 0.26F};
  for (const float value : values) {
    std::string bytes = good;
    std::memcpy(bytes.data() + bytes.size() - 16, &value, sizeof value);
    if (value == 1.5F) {  // sums to 1, but for a negative part
      const float rest = -0.5F;
      std::memcpy(bytes.data() + bytes.size() - 12, &rest, sizeof rest);
    }
    put(path_ / "topics.npy", bytes);
    put(path_ / "manifest.json", with(manifest, hexadecimal(good), hexadecimal(bytes)));
    EXPECT_NE(error_of(path_).find("is no distribution"), std::string::npos) << value;
  }
}

TEST_F(ModelTest, FoldersThatAreNoModelsSayWhy) {
  EXPECT_NE(error_of(path_, Fault::no_input).find("there is no such folder"), std::string::npos);
  fs::create_directories(path_);
  EXPECT_NE(error_of(path_, Fault::no_input).find("has no manifest.json"), std::string::npos);
  put(path_ / "checkpoint.bin", "");
  EXPECT_NE(error_of(path_, Fault::no_input)
                .find("training has not finished; go on with its training by resume"),
            std::string::npos);
  put(path_ / "manifest.json", "{\"source\": \"a corpus\"}\n");
  EXPECT_NE(error_of(path_).find("is not the manifest of a model"), std::string::npos);
  put(folder_.path() / "file", "");
  EXPECT_NE(error_of(folder_.path() / "file", Fault::no_input).find("is no folder"),
            std::string::npos);
}

TEST_F(ModelTest, TopicsWithoutWeightAreNotWritten) {
  EXPECT_THROW(test::model_of(path_, {{1, 3}, {0, 0}}), Error);
  EXPECT_FALSE(fs::exists(path_ / "manifest.json"));
  EXPECT_FALSE(fs::exists(path_ / "topics.npy"));
}

}  // namespace
}  // namespace tain::model_test
