// Exports: what is written imports as the corpus it came from.
#include "text/export.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"
#include "text/byte_sink.hpp"
#include "text/corpus_writer.hpp"
#include "text/document_names.hpp"
#include "text/import.hpp"

namespace tain::export_test {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::uint32_t>;

constexpr std::array bag_formats{Format::uci, Format::ldac, Format::mm, Format::svmlight,
                                 Format::vw};

class Export : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_ / name; }
  ExportedCorpus write(const Corpus& corpus, Format format, const std::string& name,
                       bool overwrite = true) const {
    return corpus.export_to(path(name),
                            {.format = std::string(format_name(format)), .overwrite = overwrite});
  }
  /// Imports a file with the words of `words`, every token kept.
  Corpus read_back(const std::string& name, Format format, const fs::path& words) const {
    ImportSettings plan;
    plan.source = path(name);
    plan.format = format;
    plan.vocabulary = words;
    plan.tokenizer.stop_words = "none";
    plan.tokenizer.min_characters = 1;
    Threads threads(1);
    import_documents(plan, path("back"), Overwrite::yes, threads, {});
    return Corpus::open(path("back"));
  }
  std::string bytes(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const test::Folder folder_ = test::Folder::in_memory("export");
};

std::vector<std::string> letters_of(std::size_t n) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < n; ++i) {
    words.push_back({static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)});
  }
  return words;
}

Corpus ordered(const fs::path& folder, const std::vector<Ids>& documents, std::size_t words) {
  CorpusWriter writer(folder, Order::text, Overwrite::yes);
  for (const Ids& document : documents) {
    writer.add(document, "", "");
  }
  writer.finish(letters_of(words), "{}\n");
  return Corpus::open(folder);
}

Corpus counted(const fs::path& folder, const std::vector<Bag>& documents, std::size_t words) {
  CorpusWriter writer(folder, Order::none, Overwrite::yes);
  for (const Bag& bag : documents) {
    writer.add(bag.ids, bag.counts, "", "");
  }
  writer.finish(letters_of(words), "{}\n");
  return Corpus::open(folder);
}

std::vector<Bag> bags_of(const Corpus& corpus) {
  std::vector<Bag> bags;
  for (std::uint64_t d = 0; d < corpus.documents(); ++d) {
    const DocumentWords document = corpus.document(d);
    Bag& bag = bags.emplace_back();
    bag.ids.assign(document.ids.begin(), document.ids.end());
    bag.counts.assign(document.counts.begin(), document.counts.end());
    if (corpus.order() == Order::text) {
      bag.counts.assign(bag.ids.size(), 1);
      sort_and_merge(bag, "test");
    }
  }
  return bags;
}

bool same_words(const Corpus& a, const Corpus& b) {
  return std::ranges::equal(a.vocabulary(), b.vocabulary());
}

/// Counts of every size; ids below 40, so that the last words of 50 never occur.
std::vector<Bag> any_bags() {
  const auto documents = *rc::gen::container<std::vector<std::vector<std::pair<int, int>>>>(
      rc::gen::container<std::vector<std::pair<int, int>>>(rc::gen::pair(
          rc::gen::inRange(0, 40), rc::gen::inRange(1, 1 << *rc::gen::inRange(1, 25)))));
  std::vector<Bag> bags;
  for (const auto& document : documents) {
    Bag& bag = bags.emplace_back();
    for (const auto& [id, count] : document) {
      bag.ids.push_back(static_cast<std::uint32_t>(id));
      bag.counts.push_back(static_cast<std::uint32_t>(count));
    }
    sort_and_merge(bag, "test");
  }
  return bags;
}

std::vector<Ids> any_tokens() {
  return *rc::gen::container<std::vector<Ids>>(
      rc::gen::container<Ids>(rc::gen::inRange<std::uint32_t>(0, 40)));
}

RC_GTEST_FIXTURE_PROP(Export, EveryBagFormatGivesTheCorpusBack, ()) {
  const Corpus corpus = counted(path("c"), any_bags(), 50);
  const Format format = *rc::gen::elementOf(bag_formats);
  const std::string name =
      "out" + *rc::gen::elementOf(std::vector<std::string>{"", ".gz", ".bz2", ".zst"});
  const ExportedCorpus exported = write(corpus, format, name);
  RC_ASSERT(exported.vocabulary.has_value() == (format != Format::vw));
  const Corpus back =
      read_back(name, format, exported.vocabulary.value_or(path("c") / "vocab.txt"));
  RC_ASSERT(bags_of(back) == bags_of(corpus));
  RC_ASSERT(same_words(back, corpus));
  RC_ASSERT(back.fingerprint() == corpus.fingerprint());
}

RC_GTEST_FIXTURE_PROP(Export, TokensInOrderAreCounted, ()) {
  const Corpus corpus = ordered(path("c"), any_tokens(), 50);
  const Format format = *rc::gen::elementOf(bag_formats);
  write(corpus, format, "out");
  const Corpus back = read_back("out", format, path("c") / "vocab.txt");
  RC_ASSERT(bags_of(back) == bags_of(corpus));
}

RC_GTEST_FIXTURE_PROP(Export, TextKeepsEveryToken, ()) {
  const Corpus corpus = ordered(path("c"), any_tokens(), 50);
  const Format format = *rc::gen::elementOf(std::array{Format::text, Format::tsv});
  write(corpus, format, "out.zst");
  const Corpus back = read_back("out.zst", format, path("c") / "vocab.txt");
  RC_ASSERT(back.fingerprint() == corpus.fingerprint());
  RC_ASSERT(back.order() == Order::text);
}

// Nothing at the ends of a file says that these documents exist, unless it is written.
TEST_F(Export, EmptyDocumentsAndUnusedWordsAreKept) {
  const std::vector<Bag> bags{{}, {}, {{1, 3}, {2, 1}}, {}, {{0}, {2'147'483'647}}, {}, {}};
  const Corpus corpus = counted(path("c"), bags, 9);
  for (const Format format : bag_formats) {
    const ExportedCorpus exported = write(corpus, format, "out");
    EXPECT_EQ(exported.documents, 7u);
    EXPECT_EQ(exported.entries, 3u);
    EXPECT_EQ(exported.tokens, 2'147'483'650u);
    const Corpus back = read_back("out", format, path("c") / "vocab.txt");
    EXPECT_EQ(bags_of(back), bags) << format_name(format);
    EXPECT_EQ(back.words(), 9u);
  }
  const Corpus tokens = ordered(path("t"), {{}, {2, 2, 1}, {}, {}}, 4);
  for (const Format format : {Format::text, Format::tsv}) {
    write(tokens, format, "out");
    EXPECT_EQ(read_back("out", format, path("t") / "vocab.txt").fingerprint(),
              tokens.fingerprint());
  }
}

TEST_F(Export, BytesOfEveryFormat) {
  const Corpus corpus = ordered(path("c"), {{2, 0, 2}, {}, {1}}, 3);
  write(corpus, Format::uci, "uci");
  EXPECT_EQ(bytes("uci"), "3\n3\n3\n1 1 1\n1 3 2\n3 2 1\n");
  EXPECT_EQ(bytes("uci.vocab"), "aa\nab\nac\n");
  write(corpus, Format::mm, "mm");
  EXPECT_EQ(bytes("mm"),
            "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n1 3 2\n3 2 1\n");
  write(corpus, Format::ldac, "ldac");
  EXPECT_EQ(bytes("ldac"), "2 0:1 2:2\n0\n1 1:1\n");
  write(corpus, Format::svmlight, "svm");
  EXPECT_EQ(bytes("svm"), "0 1:1 3:2\n0\n0 2:1\n");
  corpus.export_to(path("svm0"), {.format = "svmlight", .first_id = FirstId::zero});
  EXPECT_EQ(bytes("svm0"), "0 0:1 2:2\n0\n0 1:1\n");
  write(corpus, Format::vw, "vw");
  EXPECT_EQ(bytes("vw"), "| aa ac:2\n|\n| ab\n");
  EXPECT_FALSE(fs::exists(path("vw.vocab")));
  write(corpus, Format::text, "text");
  EXPECT_EQ(bytes("text"), "ac aa ac\n\nab\n");
  write(corpus, Format::tsv, "tsv");
  EXPECT_EQ(bytes("tsv"), "1\t\tac aa ac\n2\t\t\n3\t\tab\n");
}

TEST_F(Export, NamesAndTitlesAreWritten) {
  CorpusWriter writer(path("c"), Order::text, Overwrite::no);
  writer.add(Ids{0}, "a b:c|d", "On a");
  writer.add(Ids{0}, "", "");
  writer.add(Ids{0}, "\xC3\xA9\xFF", "");
  writer.finish(letters_of(1), "{}\n");
  const Corpus corpus = Corpus::open(path("c"));
  write(corpus, Format::tsv, "tsv");
  EXPECT_EQ(bytes("tsv"), "a b:c|d\tOn a\taa\n2\t\taa\n\xC3\xA9\xFF\t\taa\n");
  write(corpus, Format::vw, "vw");
  EXPECT_EQ(bytes("vw"), "'a_b_c_d | aa\n| aa\n'\xC3\xA9_ | aa\n");
  EXPECT_EQ(DocumentNames::open(read_back("vw", Format::vw, path("c") / "vocab.txt")).name(2),
            "\xC3\xA9_");
}

TEST_F(Export, TheEndingCompresses) {
  const Corpus corpus = ordered(path("c"), std::vector<Ids>(500, Ids{1, 2, 1}), 3);
  write(corpus, Format::mm, "plain.mm");
  const std::vector<std::pair<std::string, Compression>> endings{{".gz", Compression::gzip},
                                                                 {".bz2", Compression::bzip2},
                                                                 {".xz", Compression::xz},
                                                                 {".zst", Compression::zstd}};
  for (const auto& [ending, compression] : endings) {
    const ExportedCorpus exported = write(corpus, Format::mm, "out.mm" + ending);
    EXPECT_EQ(*exported.vocabulary, path("out.mm.vocab"));
    EXPECT_EQ(bytes("out.mm.vocab"), "aa\nab\nac\n");
    const std::string stored = bytes("out.mm" + ending);
    EXPECT_EQ(detect_compression(stored), compression);
    EXPECT_LT(stored.size(), bytes("plain.mm").size() / 2);
    const auto source = open_bytes(path("out.mm" + ending));
    std::string plain(bytes("plain.mm").size() + 1, '\0');
    std::size_t size = 0;
    while (const std::size_t got = source->read(std::span(plain).subspan(size))) {
      size += got;
    }
    EXPECT_EQ(plain.substr(0, size), bytes("plain.mm")) << ending;
  }
}

TEST(ExportNames, WhereTheWordsGo) {
  EXPECT_EQ(vocabulary_path("a/corpus.mm"), "a/corpus.mm.vocab");
  EXPECT_EQ(vocabulary_path("a/corpus.mm.gz"), "a/corpus.mm.vocab");
  EXPECT_EQ(vocabulary_path("corpus"), "corpus.vocab");
  EXPECT_EQ(vocabulary_path("a/docword.kos.txt"), "a/vocab.kos.txt");
  EXPECT_EQ(vocabulary_path("docword.kos.txt.gz"), "vocab.kos.txt");
}

Fault fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.fault();
  }
  return Fault{0};
}

TEST_F(Export, WhatCannotBeWrittenIsRefused) {
  const Corpus counts = counted(path("c"), {{{0}, {1}}}, 2);
  for (const Format format : {Format::text, Format::tsv}) {
    EXPECT_EQ(fault_of([&] { write(counts, format, "out"); }), Fault::config);
  }
  EXPECT_EQ(fault_of([&] { write(counts, Format::wikipedia, "out"); }), Fault::config);
  CorpusWriter writer(path("blank"), Order::text, Overwrite::no);
  writer.add(Ids{0, 2}, "", "");
  writer.finish(std::vector<std::string>{"new york", "a:b", "fine", "x|y"}, "{}\n");
  const Corpus blank = Corpus::open(path("blank"));
  for (const Format format : {Format::text, Format::tsv, Format::vw}) {
    EXPECT_EQ(fault_of([&] { write(blank, format, "out"); }), Fault::data);
    EXPECT_FALSE(fs::exists(path("out")));
  }
  write(blank, Format::ldac, "out");  // numbers are fine
  EXPECT_EQ(bytes("out.vocab"), "new york\na:b\nfine\nx|y\n");
  EXPECT_EQ(fault_of([&] { write(counts, Format::mm, "no/such/folder"); }), Fault::cannot_create);
}

TEST_F(Export, NothingIsOverwrittenUnasked) {
  const Corpus corpus = counted(path("c"), {{{0}, {1}}}, 2);
  std::ofstream(path("out.vocab")) << "mine\n";
  EXPECT_THROW(write(corpus, Format::mm, "out", false), Error);
  EXPECT_FALSE(fs::exists(path("out")));
  EXPECT_EQ(bytes("out.vocab"), "mine\n");
  write(corpus, Format::mm, "out", true);
  EXPECT_THROW(write(corpus, Format::vw, "out", false), Error);
}

TEST_F(Export, StoppingLeavesNothing) {
  const Corpus corpus = ordered(path("c"), std::vector<Ids>(3000, Ids{1, 0}), 2);
  for (const std::string_view phase : {"counting words", "writing"}) {
    std::uint64_t seen = 0;
    const auto stop = [&](const WorkProgress& progress) {
      EXPECT_EQ(progress.size, 3000u);
      seen = progress.documents;
      return progress.phase == phase && progress.documents > 0 ? Next::stop : Next::go_on;
    };
    test::expect_error([&] { corpus.export_to(path("out"), {.format = "mm", .progress = stop}); },
                       Fault::interrupted, "nothing was written");
    EXPECT_EQ(seen, 1000u);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);  // the corpus
  }
}

// Readers of uci and mm take more empty documents in a row for damage.
TEST_F(Export, LongGapsAreRefusedWhereTheyLeaveNoTrace) {
  CorpusWriter writer(path("c"), Order::none, Overwrite::no);
  for (std::uint64_t d = 0; d <= max_missing_documents; ++d) {
    writer.add(Ids{}, Ids{}, "", "");
  }
  writer.finish(letters_of(1), "{}\n");
  const Corpus corpus = Corpus::open(path("c"));
  EXPECT_EQ(fault_of([&] { write(corpus, Format::uci, "out"); }), Fault::data);
  EXPECT_EQ(fault_of([&] { write(corpus, Format::mm, "out"); }), Fault::data);
  write(corpus, Format::ldac, "out");
  EXPECT_EQ(read_back("out", Format::ldac, path("c") / "vocab.txt").documents(),
            max_missing_documents + 1);
}

TEST_F(Export, AFullDiskIsAnError) {
  const Corpus corpus = counted(path("c"), {{{0}, {1}}}, 2);
  const auto sink = open_sink("/dev/full", Compression::gzip, "full");
  EXPECT_EQ(fault_of([&] {
              sink->write("some bytes");
              sink->finish();
            }),
            Fault::io);
}

TEST_F(Export, StandardOutputIsPlainAndHasNoWordsBeside) {
  const Corpus corpus = counted(path("c"), {{{0}, {1}}}, 2);
  ::testing::internal::CaptureStdout();
  const ExportedCorpus exported = corpus.export_to("-", {.format = "ldac"});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "1 0:1\n");
  EXPECT_FALSE(exported.vocabulary);
}

TEST_F(Export, TheEndingTellsTheFormat) {
  const Corpus corpus = ordered(path("c"), {{0, 1}, {1}}, 2);
  EXPECT_EQ(corpus.export_to(path("a.svm.gz")).format, "svmlight");
  EXPECT_EQ(corpus.export_to(path("a.txt")).format, "text");
  EXPECT_EQ(corpus.export_to(path("b.vw"), {.format = "auto"}).format, "vw");
  test::expect_error([&] { corpus.export_to(path("a.xyz")); }, Fault::usage,
                     "a.xyz: does not tell the format by its ending; give format");
  test::expect_error([&] { corpus.export_to("-"); }, Fault::usage, "does not tell the format");
  EXPECT_EQ(
      test::message_of(Fault::config, [&] { corpus.export_to(path("a"), {.format = "svmligth"}); }),
      "format: unknown value 'svmligth'; did you mean 'svmlight'?");
  EXPECT_EQ(test::message_of(Fault::config,
                             [&] { corpus.export_to(path("a.mm"), {.first_id = FirstId::zero}); }),
            "first_id: mm fixes the number of its first word; leave it out");
  EXPECT_FALSE(fs::exists(path("a.mm")));
}

TEST_F(Export, TheFolderOfTheCorpusIsNoPlace) {
  const Corpus corpus = ordered(path("c"), {{0, 1}, {1}}, 2);
  const std::string before = bytes("c/corpus.bin");
  for (const std::string name : {"c/corpus.bin", "c/docword.txt", "c/a.mm"}) {
    test::expect_error([&] { write(corpus, Format::uci, name); }, Fault::config,
                       "would lie in the folder of the corpus");
  }
  EXPECT_EQ(bytes("c/corpus.bin"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("c")), {}), 3);
}

TEST_F(Export, ACorpusWithoutDocumentsIsAFile) {
  const Corpus corpus = ordered(path("c"), {}, 2);
  EXPECT_EQ(write(corpus, Format::uci, "out").documents, 0u);
  EXPECT_EQ(bytes("out"), "0\n2\n0\n");
  EXPECT_EQ(write(corpus, Format::text, "empty").tokens, 0u);
  EXPECT_EQ(bytes("empty"), "");
}

}  // namespace
}  // namespace tain::export_test
