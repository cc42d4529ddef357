// The corpus on disk: what is written is what is read; damage is seen.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "comm/thread_ranks.hpp"
#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "text/corpus_file.hpp"
#include "text/corpus_writer.hpp"
#include "text/document_names.hpp"

namespace tain::corpus_test {
namespace {

namespace fs = std::filesystem;
using Document = std::vector<std::uint32_t>;

class CorpusFolder : public ::testing::Test {
 protected:
  const test::Folder base_{"corpus"};
};

std::vector<std::string> words(std::size_t n) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back("w" + std::to_string(i));
  }
  return all;
}

void write_sequences(const fs::path& folder, const std::vector<Document>& documents,
                     std::size_t vocabulary) {
  CorpusWriter writer(folder, Order::text, Overwrite::yes);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    writer.add(documents[d], std::to_string(d), "title\tof " + std::to_string(d));
  }
  writer.finish(words(vocabulary), "{}\n");
}

RC_GTEST_FIXTURE_PROP(CorpusFolder, GivesBackTokensInOrder, ()) {
  const auto documents = *rc::gen::container<std::vector<Document>>(
      rc::gen::container<Document>(rc::gen::inRange<std::uint32_t>(0, 50)));
  write_sequences(base_ / "c", documents, 50);
  const Corpus corpus = Corpus::open(base_ / "c");
  RC_ASSERT(corpus.documents() == documents.size());
  RC_ASSERT(corpus.order() == Order::text);
  std::uint64_t tokens = 0;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const DocumentWords read = corpus.document(d);
    RC_ASSERT(Document(read.ids.begin(), read.ids.end()) == documents[d]);
    RC_ASSERT(read.counts.empty());
    tokens += documents[d].size();
  }
  RC_ASSERT(corpus.tokens() == tokens);
}

TEST_F(CorpusFolder, GivesBackCounts) {
  CorpusWriter writer(base_ / "c", Order::none, Overwrite::no);
  writer.add(Document{1, 4, 9}, Document{2, 1, 7}, "", "");
  writer.add(Document{}, Document{}, "", "");
  writer.add(Document{0}, Document{2'000'000'000}, "", "");
  writer.finish(words(12), "{\"made\": \"by hand\"}\n");
  EXPECT_FALSE(fs::exists(base_ / "c" / "documents.tsv"));
  EXPECT_EQ(std::distance(fs::directory_iterator(base_ / "c"), {}), 3);
  const Corpus corpus = Corpus::open(base_ / "c");
  EXPECT_EQ(corpus.documents(), 3u);
  EXPECT_EQ(corpus.words(), 12u);
  EXPECT_EQ(corpus.tokens(), 2'000'000'010u);
  EXPECT_EQ(corpus.document(0).counts[2], 7u);
  EXPECT_EQ(corpus.document(0).ids[1], 4u);
  EXPECT_EQ(corpus.document(1).tokens(), 0u);
  EXPECT_EQ(corpus.document(2).tokens(), 2'000'000'000u);
  EXPECT_EQ(corpus.word(11), "w11");
}

TEST_F(CorpusFolder, NamesAreOneLineEach) {
  write_sequences(base_ / "c", {{1}, {2}}, 3);
  std::ifstream file(base_ / "c" / "documents.tsv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "0\ttitle of 0");
}

/// Bytes between the sections, which nobody reads.
bool is_padding(const std::string& bytes, std::size_t i) {
  corpus_file::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto within = [&](const corpus_file::Section& section, std::size_t width) {
    return i >= section.begin && i < section.begin + width * section.elements;
  };
  return !within(header.ids, 4) && !within(header.counts, 4) && !within(header.offsets, 8);
}

TEST_F(CorpusFolder, AnUnfinishedCorpusLeavesNothing) {
  {
    CorpusWriter writer(base_ / "c", Order::text, Overwrite::no);
    writer.add(Document{1, 2}, "", "");
  }
  EXPECT_TRUE(fs::is_empty(base_.path()));
}

TEST_F(CorpusFolder, IsNotOverwrittenUnasked) {
  write_sequences(base_ / "c", {{1}}, 3);
  EXPECT_THROW(CorpusWriter(base_ / "c", Order::text, Overwrite::no), Error);
  write_sequences(base_ / "c", {{2}, {0}}, 3);  // asked to
  EXPECT_EQ(Corpus::open(base_ / "c").documents(), 2u);
}

TEST_F(CorpusFolder, ATrailingSlashIsNoFolderOfItsOwn) {
  write_sequences(base_ / "c" / "", {{1}}, 3);
  EXPECT_EQ(Corpus::open(base_ / "c").documents(), 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(base_.path()), {}), 1);
}

TEST_F(CorpusFolder, FurtherFilesComeWithTheFolder) {
  {
    CorpusWriter writer(base_ / "c", Order::text, Overwrite::no);
    std::ofstream(writer.beside("more.txt")) << "more";
    writer.finish(words(1), "{}\n");
  }
  std::ifstream file(base_ / "c" / "more.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "more");
  {
    CorpusWriter writer(base_ / "d", Order::text, Overwrite::no);
    writer.beside("never written");
    EXPECT_THROW(writer.finish(words(1), "{}\n"), Error);
  }
  EXPECT_FALSE(fs::exists(base_ / "d"));
}

void write_words(const fs::path& folder, const std::vector<std::string>& vocabulary) {
  CorpusWriter writer(folder, Order::text, Overwrite::yes);
  writer.add(Document{0, 1}, "", "");
  writer.finish(vocabulary, "{}\n");
}

// Also words that other readers would take for a compressed file, a mark, or another line end.
TEST_F(CorpusFolder, TheFingerprintIsThatOfTheWordsToo) {
  std::set<std::uint64_t> fingerprints;
  const std::vector<std::vector<std::string>> vocabularies{
      {"a", "b"}, {"b", "a"}, {"a", "c"}, {"a", "b", "c"}, {"BZh91AY&SY", "\xEF\xBB\xBFx\r"}};
  for (const std::vector<std::string>& vocabulary : vocabularies) {
    write_words(base_ / "c", vocabulary);
    const Corpus corpus = Corpus::open(base_ / "c");
    EXPECT_TRUE(std::ranges::equal(corpus.vocabulary(), vocabulary));
    fingerprints.insert(corpus.fingerprint());
  }
  EXPECT_EQ(fingerprints.size(), vocabularies.size());
  write_words(base_ / "d", vocabularies.back());
  EXPECT_TRUE(fingerprints.contains(Corpus::open(base_ / "d").fingerprint()));
}

TEST_F(CorpusFolder, ChangedWordsAreSeen) {
  write_words(base_ / "c", {"one", "two"});
  for (const std::string text : {"one\ntwp\n", "two\none\n", "one\ntwo", "one\n\ntwo\n", "one\n"}) {
    std::ofstream(base_ / "c" / "vocab.txt") << text;
    EXPECT_THROW(Corpus::open(base_ / "c"), Error) << text;
  }
}

TEST_F(CorpusFolder, EveryDocumentHasItsNameAndTitle) {
  std::vector<Document> documents(3 * DocumentNames::lines_per_mark + 1, Document{0});
  write_sequences(base_ / "c", documents, 1);
  const Corpus corpus = Corpus::open(base_ / "c");
  const DocumentNames names = DocumentNames::open(corpus);
  EXPECT_TRUE(names.any());
  for (std::size_t d = 0; d < documents.size(); ++d) {
    EXPECT_EQ(names.name(d), std::to_string(d));
    EXPECT_EQ(names.title(d), "title of " + std::to_string(d));
  }
  fs::remove(base_ / "c" / "documents.tsv");
  const DocumentNames none = DocumentNames::open(corpus);
  EXPECT_FALSE(none.any());
  EXPECT_EQ(none.name(3), "");
  EXPECT_EQ(none.title(3), "");
}

TEST_F(CorpusFolder, DamagedNamesAreErrors) {
  write_sequences(base_ / "c", {{0}, {0}}, 1);
  const Corpus corpus = Corpus::open(base_ / "c");
  const std::vector<std::pair<std::string, std::string>> damages{
      {"a\tb\n", ":1: ends here"},          {"a\tb\nc\td", ":2: the line has no end"},
      {"a\tb\nc\n", ":2: the line is not"}, {"a\tb\tc\nd\te\n", ":1: the line is not"},
      {"a\tb\nc\td\n\n", ":3: the corpus"}, {"", ":0: ends here"}};
  for (const auto& [text, message] : damages) {
    std::ofstream(base_ / "c" / "documents.tsv") << text;
    try {
      DocumentNames::open(corpus);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(message), std::string_view::npos)
          << error.what();
    }
  }
}

// Every byte of corpus.bin matters but the padding between sections: a flipped bit is an Error.
TEST_F(CorpusFolder, EveryFlippedBitIsSeen) {
  write_sequences(base_ / "c", {{1, 2, 3, 1}, {}, {4, 0}}, 5);
  const fs::path path = base_ / "c" / "corpus.bin";
  const std::string bytes = read_file(path);
  corpus_file::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto used = [&](std::size_t i) {
    return i < sizeof header || (i >= header.ids.begin && i < header.ids.begin + 4 * 6) ||
           i >= header.offsets.begin;
  };
  std::size_t checked = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!used(i)) {
      continue;
    }
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ (1 << (i % 8)));
    std::ofstream(path, std::ios::binary) << broken;
    EXPECT_THROW(Corpus::open(base_ / "c"), Error) << "byte " << i;
    ++checked;
  }
  EXPECT_EQ(checked, sizeof header + 24 + 32);
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, bytes.size() - 1}) {
    std::ofstream(path, std::ios::binary) << bytes.substr(0, length);
    EXPECT_THROW(Corpus::open(base_ / "c"), Error) << length;
  }
}

// No part reads all of it, and together they see any byte that is not as it was.
TEST_F(CorpusFolder, PartsTogetherSeeAnyDamage) {
  const fs::path path = base_ / "c" / "corpus.bin";
  for (const Order order : {Order::text, Order::none}) {
    {
      CorpusWriter writer(base_ / "c", order, Overwrite::yes);
      for (const Document& document :
           {Document{1, 2, 3}, Document{}, Document{0, 4}, Document{2}}) {
        if (order == Order::text) {
          writer.add(document, "", "");
        } else {
          writer.add(document, Document(document.size(), 2), "", "");
        }
      }
      writer.finish(words(5), "{}\n");
    }
    const std::string bytes = read_file(path);
    for (const int parts : {2, 3, 7}) {
      const auto open_together = [&] {
        run_thread_ranks(parts, [&](Comm& comm) {
          const auto take = [&](std::span<std::byte> sums, const std::function<void()>& turn) {
            comm.ordered_reduce(sums, turn);
          };
          const Corpus corpus = Corpus::open(base_ / "c", {comm.rank(), parts, take});
          EXPECT_EQ(corpus.documents(), 4U);
          EXPECT_EQ(corpus.entries_before(3), 5U);
        });
      };
      open_together();
      for (std::size_t i = corpus_file::header_bytes; i < bytes.size(); ++i) {
        if (is_padding(bytes, i)) {
          continue;
        }
        std::string broken = bytes;
        broken[i] = static_cast<char>(broken[i] ^ 1);
        std::ofstream(path, std::ios::binary) << broken;
        EXPECT_EQ(test::message_of(Fault::data, open_together).find(path.string()), 0U)
            << "byte " << i << " of " << bytes.size() << ", parts " << parts;
      }
      std::ofstream(path, std::ios::binary) << bytes;
    }
  }
}

TEST_F(CorpusFolder, MissingFilesAndWordsAreErrors) {
  EXPECT_THROW(Corpus::open(base_ / "nothing"), Error);
  write_sequences(base_ / "c", {{1}}, 3);
  std::ofstream(base_ / "c" / "vocab.txt") << "one\ntwo\n";
  EXPECT_THROW(Corpus::open(base_ / "c"), Error);
}

// Arrays of somebody else, with everything that can be wrong with them.
struct Arrays {
  Document ids{1, 4, 9, 0}, counts{2, 1, 7, 3};
  std::vector<std::uint64_t> offsets{0, 3, 3, 4};
  std::vector<std::string> vocabulary = words(12);

  Corpus corpus() const { return Corpus::over({ids, counts, offsets, vocabulary}); }
};

TEST_F(CorpusFolder, ArraysAreTheCorpusThatTheyWouldBeInAFolder) {
  const Arrays arrays;
  CorpusWriter writer(base_ / "c", Order::none, Overwrite::no);
  writer.add(Document{1, 4, 9}, Document{2, 1, 7}, "", "");
  writer.add(Document{}, Document{}, "", "");
  writer.add(Document{0}, Document{3}, "", "");
  writer.finish(words(12), "{}\n");
  const Corpus opened = Corpus::open(base_ / "c"), over = arrays.corpus();
  EXPECT_EQ(over.documents(), opened.documents());
  EXPECT_EQ(over.words(), opened.words());
  EXPECT_EQ(over.tokens(), opened.tokens());
  EXPECT_EQ(over.order(), opened.order());
  EXPECT_EQ(over.fingerprint(), opened.fingerprint());
  EXPECT_TRUE(std::ranges::equal(over.vocabulary(), opened.vocabulary()));
  for (std::uint64_t d = 0; d < opened.documents(); ++d) {
    EXPECT_TRUE(std::ranges::equal(over.document(d).ids, opened.document(d).ids)) << d;
    EXPECT_TRUE(std::ranges::equal(over.document(d).counts, opened.document(d).counts)) << d;
  }
  EXPECT_EQ(over.document(0).ids.data(), arrays.ids.data()) << "a copy was made";
  EXPECT_TRUE(over.folder().empty());
  EXPECT_EQ(over.name(), "corpus in memory");
  EXPECT_EQ(opened.name(), (base_ / "c").string());
}

TEST_F(CorpusFolder, SavedArraysAreTheirCorpus) {
  const Arrays arrays;
  const Corpus kept = arrays.corpus();
  kept.save(base_ / "c", {.names = {"a", "b", "c"}, .titles = {"A", "", "C"}});
  const Corpus opened = Corpus::open(base_ / "c");
  EXPECT_EQ(opened.fingerprint(), kept.fingerprint());
  EXPECT_EQ(DocumentNames::open(opened).name(1), "b");
  EXPECT_EQ(DocumentNames::open(opened).title(2), "C");
  // Saved again it keeps its names, unless others are given.
  opened.save(base_ / "again", {.titles = {"X", "Y", "Z"}});
  const Corpus again = Corpus::open(base_ / "again");
  EXPECT_EQ(again.fingerprint(), kept.fingerprint());
  EXPECT_EQ(DocumentNames::open(again).name(1), "b");
  EXPECT_EQ(DocumentNames::open(again).title(1), "Y");
}

TEST_F(CorpusFolder, SavedTokensKeepTheirOrder) {
  write_sequences(base_ / "c", {{1, 2, 1}, {}}, 5);
  const Corpus corpus = Corpus::open(base_ / "c");
  corpus.save(base_ / "copy");
  EXPECT_EQ(read_file(base_ / "copy" / "corpus.bin"), read_file(base_ / "c" / "corpus.bin"));
}

TEST_F(CorpusFolder, SavingIsRefusedWhereItWouldHarm) {
  const Arrays arrays;
  const Corpus corpus = arrays.corpus();
  const auto refused = [&](Fault fault, const CorpusSavePlan& plan, const std::string& part) {
    test::expect_error([&] { corpus.save(base_ / "c", plan); }, fault, part);
    EXPECT_FALSE(fs::exists(base_ / "c"));
  };
  refused(Fault::config, {.names = {"a"}}, "names: has 1 entries for 3 documents");
  refused(Fault::config, {.titles = {"a"}}, "titles: has 1 entries for 3 documents");
  const auto stop = [](const WorkProgress& now) {
    return now.done == 1 ? Next::stop : Next::go_on;
  };
  refused(Fault::interrupted, {.progress = stop}, "nothing was written");
  EXPECT_TRUE(fs::is_empty(base_.path()));
  corpus.save(base_ / "c");
  const Corpus opened = Corpus::open(base_ / "c");
  test::expect_error([&] { opened.save(base_ / "c", {.overwrite = true}); }, Fault::cannot_create,
                     "is the corpus itself");
  test::expect_error([&] { corpus.save(base_ / "c"); }, Fault::cannot_create, "overwrite = true");
  corpus.save(base_ / "c", {.overwrite = true});
  const std::vector<std::uint64_t> none{0};
  Corpus::over({{}, {}, none, {"word"}}).save(base_ / "empty");
  EXPECT_EQ(Corpus::open(base_ / "empty").documents(), 0U);
}

// Also where the current folder has a file of names: it is that of another corpus.
TEST_F(CorpusFolder, ArraysHaveNoNames) {
  const fs::path before = fs::current_path();
  fs::current_path(base_.path());
  std::ofstream("documents.tsv") << "a\tb\n";
  const DocumentNames names = DocumentNames::open(Arrays().corpus());
  fs::current_path(before);
  EXPECT_FALSE(names.any());
}

TEST(CorpusArrays, WhatIsWrongWithThemIsSaid) {
  struct Damage {
    void (*apply)(Arrays&);
    std::string_view message;
  };
  const std::vector<Damage> damages{
      {[](Arrays& a) { a.counts.pop_back(); }, "documents: have 4 words and 3 counts"},
      {[](Arrays& a) { a.offsets.clear(); }, "documents: have no offsets"},
      {[](Arrays& a) { a.offsets.front() = 1; }, "documents: begin at 1 and end at 4"},
      {[](Arrays& a) { a.offsets.back() = 3; }, "documents: begin at 0 and end at 3"},
      {[](Arrays& a) { a.offsets[1] = 4; }, "document 1: begins at 4 and ends at 3"},
      {[](Arrays& a) { a.offsets[1] = 1ULL << 63; }, "document 1: begins at 9223372036854775808"},
      {[](Arrays& a) { a.ids[3] = 12; }, "document 2: holds word 12, there are 12"},
      {[](Arrays& a) { a.ids[3] = ~0U; }, "document 2: holds word -1, there are 12"},
      {[](Arrays& a) { a.ids[1] = 1; }, "document 0: holds word 1 twice"},
      {[](Arrays& a) { a.ids[1] = 0; }, "document 0: holds word 0 after word 1"},
      {[](Arrays& a) { a.counts[2] = 0; }, "document 0: word 9 has the count 0"},
      {[](Arrays& a) { a.counts[3] = ~0U - 1; }, "document 2: word 0 has the count -2"},
      {[](Arrays& a) { a.vocabulary[5] = "two\nlines"; }, "word 5: holds the end of a line"}};
  for (const Damage& damage : damages) {
    Arrays arrays;
    damage.apply(arrays);
    EXPECT_EQ(
        test::message_of(Fault::data, [&] { arrays.corpus(); }).substr(0, damage.message.size()),
        damage.message);
  }
}

// Checksums do not depend on how the bytes are cut.
RC_GTEST_PROP(CorpusChecksum, DoesNotDependOnPieces, (const std::vector<std::uint8_t>& bytes)) {
  Checksum whole, pieces;
  const auto all = std::as_bytes(std::span(bytes));
  whole.add(all);
  const std::size_t cut = *rc::gen::inRange<std::size_t>(0, bytes.size() + 1);
  pieces.add(all.first(cut));
  pieces.add(all.subspan(cut));
  RC_ASSERT(whole.value() == pieces.value());
}

}  // namespace
}  // namespace tain::corpus_test
