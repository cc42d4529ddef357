// From sources to corpora: order kept, counts kept, nothing depends on threads or memory.
#include "text/import.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "tain/text/corpus.hpp"

namespace tain::import_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const ImportObserver go_on;

class Import : public ::testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  ImportReport import(const ImportSettings& plan, const std::string& to, std::size_t threads = 1) {
    Threads pool(threads);
    return *import_documents(plan, folder_ / to, Overwrite::no, pool, go_on);
  }
  Words document(const std::string& corpus, std::uint64_t d) const {
    const Corpus opened = Corpus::open(folder_ / corpus);
    Words words;
    for (const std::uint32_t id : opened.document(d).ids) {
      words.push_back(opened.word(id));
    }
    return words;
  }
  std::string bytes(const std::string& corpus, const std::string& name) const {
    std::ifstream stream(folder_ / corpus / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const test::Folder folder_{"import"};
};

ImportSettings everything(fs::path source) {
  ImportSettings plan;
  plan.source = std::move(source);
  plan.tokenizer.stop_words = "none";
  plan.tokenizer.min_characters = 1;
  plan.selection = {.min_documents = 1, .max_share = 1, .max_words = 1000};
  return plan;
}

TEST_F(Import, TextKeepsTheOrderOfTokens) {
  const ImportReport report =
      import(everything(file("a.txt", "The cat saw the dog.\n\nA dog, a CAT!\n")), "c");
  EXPECT_EQ(report.format, "text");
  EXPECT_EQ(report.documents, 3u);
  EXPECT_EQ(report.empty_documents, 1u);
  EXPECT_EQ(report.tokens, 9u);
  EXPECT_EQ(document("c", 0), (Words{"the", "cat", "saw", "the", "dog"}));
  EXPECT_EQ(document("c", 1), Words{});
  EXPECT_EQ(document("c", 2), (Words{"a", "dog", "a", "cat"}));
  EXPECT_EQ(Corpus::open(folder_ / "c").order(), Order::text);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "c")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
  }
  EXPECT_NE(bytes("c", "manifest.json").find("\"documents\": 3"), std::string::npos);
}

TEST_F(Import, TitlesAndIdsGoBesideTheCorpus) {
  import(everything(file("a.tsv", "7\tOn cats\tcat cat\n9\tOn dogs\tdog\n")), "c");
  EXPECT_EQ(bytes("c", "documents.tsv"), "7\tOn cats\n9\tOn dogs\n");
  EXPECT_EQ(document("c", 0), (Words{"cat", "cat"}));
}

TEST_F(Import, RareAndCommonWordsGo) {
  ImportSettings plan = everything(file("a.txt", "all x y\nall x\nall z\nall x y\n"));
  plan.selection = {.min_documents = 2, .max_share = 0.9, .max_words = 1000};
  const ImportReport report = import(plan, "c");
  EXPECT_EQ(report.rare_words, 1u);
  EXPECT_EQ(report.common_words, 1u);
  EXPECT_EQ(report.unknown_tokens, 5u);
  EXPECT_EQ(document("c", 0), (Words{"x", "y"}));
  EXPECT_EQ(document("c", 2), Words{});
  plan.selection.min_documents = 10;
  EXPECT_THROW(import(plan, "nothing"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "nothing"));
}

TEST_F(Import, AGivenVocabularyFixesTheNumbers) {
  ImportSettings plan = everything(file("a.txt", "zebra apple pear apple\n"));
  plan.vocabulary = file("v.txt", "pear\nZebra\nplum\n");
  const ImportReport report = import(plan, "c");
  EXPECT_EQ(report.words, 3u);
  EXPECT_EQ(report.unknown_tokens, 2u);
  EXPECT_EQ(document("c", 0), (Words{"zebra", "pear"}));
  EXPECT_EQ(Corpus::open(folder_ / "c").document(0).ids[0], 1u);
}

std::string many_documents() {
  std::string text;
  for (int d = 0; d < 4000; ++d) {
    for (int i = 0; i < 60; ++i) {
      const int word = (d * 7919 + i * i * 31) % 50'000;
      text += "w";
      for (int rest = word; rest > 0; rest /= 26) {
        text += static_cast<char>('a' + rest % 26);
      }
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

TEST_F(Import, NeitherThreadsNorMemoryChangeTheCorpus) {
  ImportSettings plan = everything(file("a.txt", many_documents()));
  plan.selection = {.min_documents = 2, .max_share = 0.5, .max_words = 20'000};
  import(plan, "one", 1);
  import(plan, "two", 2);
  plan.memory_bytes = 1 << 20;  // counters spill, batches are small
  import(plan, "small", 3);
  for (const char* name : {"corpus.bin", "vocab.txt", "documents.tsv"}) {
    EXPECT_FALSE(bytes("one", name).empty());
    EXPECT_EQ(bytes("one", name), bytes("two", name)) << name;
    EXPECT_EQ(bytes("one", name), bytes("small", name)) << name;
  }
}

TEST_F(Import, BagsKeepTheirCounts) {
  const ImportReport report = import(everything(file("a.ldac", "2 0:3 4:1\n0\n1 2:5\n")), "c");
  EXPECT_EQ(report.format, "ldac");
  EXPECT_EQ(report.words, 5u);
  EXPECT_EQ(report.empty_documents, 1u);
  const Corpus corpus = Corpus::open(folder_ / "c");
  EXPECT_EQ(corpus.order(), Order::none);
  EXPECT_EQ(corpus.tokens(), 9u);
  EXPECT_EQ(corpus.document(0).ids[1], 4u);
  EXPECT_EQ(corpus.document(0).counts[0], 3u);
  EXPECT_EQ(corpus.word(4), "word5");
  ImportSettings named = everything(folder_ / "a.ldac");
  named.vocabulary = file("v.txt", "a\nb\nc\nd\ne\n");
  import(named, "named");
  EXPECT_EQ(document("named", 2), Words{"c"});
  named.vocabulary = file("short.txt", "a\nb\n");
  EXPECT_THROW(import(named, "short"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "short"));
}

TEST_F(Import, WordsByNameAreCountedAndNumbered) {
  ImportSettings plan = everything(file("a.vw", "1 'first | cat:2 dog cat\n1 'second | dog\n"));
  plan.format = Format::vw;
  import(plan, "c");
  const Corpus corpus = Corpus::open(folder_ / "c");
  std::map<std::string, std::uint32_t> counts;
  for (std::size_t i = 0; i < corpus.document(0).ids.size(); ++i) {
    counts[corpus.word(corpus.document(0).ids[i])] = corpus.document(0).counts[i];
  }
  EXPECT_EQ(counts, (std::map<std::string, std::uint32_t>{{"cat", 3}, {"dog", 1}}));
  EXPECT_EQ(bytes("c", "documents.tsv"), "first\t\nsecond\t\n");
}

TEST_F(Import, AFolderIsADocumentPerFile) {
  fs::create_directories(folder_ / "texts" / "deep");
  file("texts/b.txt", "bee bee");
  file("texts/deep/a.txt", "ant");
  const ImportReport report = import(everything(folder_ / "texts"), "c");
  EXPECT_TRUE(report.folder);
  EXPECT_EQ(report.documents, 2u);
  EXPECT_EQ(document("c", 0), (Words{"bee", "bee"}));
  ImportSettings wrong = everything(folder_ / "texts");
  wrong.format = Format::uci;
  EXPECT_THROW(import(wrong, "d"), Error);
}

TEST_F(Import, StandardInputIsReadTwiceWhereNeeded) {
  file("in.txt", "cat dog\ndog\n");
  const int saved = dup(0);
  ASSERT_NE(std::freopen((folder_ / "in.txt").c_str(), "r", stdin), nullptr);
  import(everything("-"), "c");
  dup2(saved, 0);
  close(saved);
  EXPECT_EQ(document("c", 0), (Words{"cat", "dog"}));
  EXPECT_EQ(document("c", 1), Words{"dog"});
}

TEST_F(Import, StoppingLeavesNothing) {
  Threads pool(2);
  const ImportSettings plan = everything(file("a.txt", many_documents()));
  for (const std::string_view phase : {"counting words", "writing"}) {
    ImportObserver stop;
    stop.progress = [&](const WorkProgress& progress) {
      return progress.phase == phase ? Next::stop : Next::go_on;
    };
    EXPECT_FALSE(import_documents(plan, folder_ / "c", Overwrite::no, pool, stop));
    EXPECT_FALSE(fs::exists(folder_ / "c"));
  }
}

TEST_F(Import, TheObserverHearsTheFormatFirstAndMayRefuse) {
  Threads pool(1);
  ImportObserver refusing;
  refusing.format_known = [](const ImportReport& report) {
    EXPECT_EQ(report.format, "ldac");
    EXPECT_FALSE(report.detection.empty());
    fail(Fault::config, "here", "no", "try another");
  };
  const ImportSettings plan = everything(file("a.ldac", "2 0:3 4:1\n1 1:1\n"));
  EXPECT_THROW(import_documents(plan, folder_ / "c", Overwrite::no, pool, refusing), Error);
  EXPECT_FALSE(fs::exists(folder_ / "c"));
}

TEST_F(Import, AnnouncedWordsMustFitTheMemory) {
  ImportSettings plan = everything(file("a.uci", "1\n4000000000\n1\n1 1 1\n"));
  plan.format = Format::uci;
  EXPECT_THROW(import(plan, "c"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "c"));
}

TEST_F(Import, DamageLeavesNothing) {
  EXPECT_THROW(import(everything(folder_ / "missing.txt"), "c"), Error);
  ImportSettings plan = everything(file("a.ldac", "2 0:3 4:1\n2 0:x 1:1\n"));
  plan.format = Format::ldac;
  EXPECT_THROW(import(plan, "c"), Error);
  EXPECT_FALSE(fs::exists(folder_ / "c"));
}

}  // namespace
}  // namespace tain::import_test
