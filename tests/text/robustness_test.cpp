// What can go wrong from outside: hostile sources, full disks, pipes, folders in one another.
// Always a message that names the place and says what to do, and nothing left behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/folder.hpp"
#include "tain/text/corpus.hpp"
#include "targets/errors.hpp"
#include "text/import.hpp"
#include "text/sources.hpp"

namespace tain::robustness_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using namespace testing_text;
using testing_support::fails;

/// As if the disk had room for so many bytes of every file, until the end of its life.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class Robustness : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(folder_ / "out"); }

  fs::path file(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  ImportSettings plan(fs::path source) const {
    ImportSettings all;
    all.source = std::move(source);
    all.tokenizer.stop_words = "none";
    all.tokenizer.min_characters = 1;
    all.selection = {.min_documents = 1, .max_share = 1, .max_words = 100'000};
    return all;
  }
  ImportReport import(const ImportSettings& what, std::size_t threads = 1) const {
    Threads pool(threads);
    return *import_documents(what, folder_ / "out" / "c", Overwrite::no, pool, {});
  }
  bool nothing_left() const { return fs::is_empty(folder_ / "out"); }

  const test::Folder folder_ = test::Folder::in_memory("robustness");
};

TEST_F(Robustness, HostileFilesAreRefusedWithTheirLine) {
  struct Case {
    Format format;
    std::string bytes, problem;
  };
  const std::vector<Case> cases{
      {Format::uci, "2\n3\n9\n1 1 1\n2 3 1\n", ":5: header announces 9 entries, the file has 2"},
      {Format::uci, "2\n3\n1\n1 1 1\n2 3 1\n", ":5: more than the 1 entries"},
      {Format::uci, "2\n3\n1\n1 4 1\n", ":4: word id 4 exceeds the vocabulary of 3 words"},
      {Format::uci, "2\n3\n1\n3 1 1\n", ":4: document 3 is not between 1 and 2"},
      {Format::uci, "99999999999\n3\n1\n1 1 1\n", ": documents 2 to 99999999999 have no words"},
      {Format::uci, "18446744073709551615\n3\n0\n", "18446744073709551615"},
      {Format::uci, "2\n99999999999\n0\n", "99999999999 words, more than"},
      {Format::mm, "%%MatrixMarket matrix coordinate integer general\n1 1 2\n1 1 1\n",
       ":3: header announces 2 entries, the file has 1"},
      {Format::mm, "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 2 1\n",
       ":3: word id 2 exceeds the vocabulary of 1 words"},
      {Format::ldac, "1 0:1\n2 0:1\n", ":2: "},
      {Format::ldac, "1 99999999999:1\n", ":1: word id 99999999999 is too large"},
      {Format::ldac, "1 0:1\n1 0:\x00\n"s, ":2: "},
      {Format::svmlight, "0 0:1\n", ":1: word id 0, but ids begin at 1"},
      {Format::svmlight, "0 1:1 1:-1\n", ":1: count '-1' is negative"},
      {Format::vw, "| a b\n| a\x00 b\n"s, ":2: byte 4 of the line is NUL"},
      {Format::vw, "| a b\n| a\xFF b\n"s, ":2: byte 4 of the line is not UTF-8"},
      {Format::tsv, "1\ta\n2\tb\tc\td\n", ":2: 4 columns but 2 in the first line"},
      {Format::text, "\xFF\xFEh\0i\0"s, ": is UTF-16"},
      {Format::wikipedia, "<mediawiki><page><title>a</title>\n", ":2: not XML"},
  };
  for (const Case& bad : cases) {
    ImportSettings what = plan(file("bad", bad.bytes));
    what.format = bad.format;
    EXPECT_TRUE(fails([&] { import(what); }, Fault::data, bad.problem)) << bad.bytes;
    EXPECT_TRUE(fails([&] { import(what); }, Fault::data, what.source.string() + ":"));
    EXPECT_TRUE(fails([&] { import(what); }, Fault::data, "; "));
    EXPECT_TRUE(nothing_left()) << bad.bytes;
  }
}

TEST_F(Robustness, TextMayHoldAnyBytes) {
  const ImportReport report =
      import(plan(file("a.txt", "cat\0dog \xFF\xC3( bee\n\xED\xA0\x80 ant\n"s)));
  EXPECT_EQ(report.documents, 2u);
  EXPECT_EQ(report.tokens, 4u);
  EXPECT_EQ(report.text.invalid_bytes, 5u);
}

TEST_F(Robustness, DocumentsOfTooManyWordsAreRefused) {
  std::string line = "|";
  line.reserve(2 * max_bag_words + 4);
  for (std::size_t i = 0; i <= max_bag_words; ++i) {
    line += " a";
  }
  ImportSettings what = plan(file("a.vw", line));
  what.format = Format::vw;
  EXPECT_TRUE(fails([&] { import(what); }, Fault::data, "a.vw:1: document has more than 16777216"));
  EXPECT_TRUE(nothing_left());
}

std::string many_documents() {
  std::string text;
  for (int d = 0; d < 4000; ++d) {
    for (int i = 0; i < 40; ++i) {
      text += 'w';
      for (int rest = (d * 7919 + i * i * 31) % 50'000; rest > 0; rest /= 26) {
        text += static_cast<char>('a' + rest % 26);
      }
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

TEST_F(Robustness, TruncatedSourcesLeaveNothing) {
  const std::string text = many_documents();
  for (const Compression compression : compressions) {
    if (compression == Compression::none) {
      continue;
    }
    const std::string stored = compress(compression, text);
    for (const std::size_t size : {stored.size() / 2, stored.size() - 1}) {
      const ImportSettings what = plan(file("cut", stored.substr(0, size)));
      for (const std::size_t threads : {1, 2}) {
        EXPECT_TRUE(fails([&] { import(what, threads); }, Fault::data,
                          what.source.string() + ": byte " + std::to_string(size) + ": " +
                              std::string(compression_name(compression)) + " data end too early"));
        EXPECT_TRUE(nothing_left());
      }
    }
  }
}

TEST_F(Robustness, BombsLeaveNothing) {
  // 4 MiB of zeros in less than 100 bytes, over and over: a line without end.
  std::string bomb;
  for (int i = 0; i < 40; ++i) {
    bomb += bzip2(std::string(4 << 20, '\0'));
  }
  const ImportSettings what = plan(file("bomb", bomb));
  EXPECT_TRUE(fails([&] { import(what); }, Fault::data, "decompression bomb"));
  EXPECT_TRUE(nothing_left());
}

/// Sizes of all files of a finished corpus.
std::size_t largest_file(const fs::path& folder) {
  std::size_t largest = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    largest = std::max<std::size_t>(largest, entry.file_size());
  }
  return largest;
}

// Whatever file no longer fits: corpus.bin, its parts, names, words, manifest, or what was spilled.
TEST_F(Robustness, AFullDiskIsAnErrorAndLeavesNothing) {
  ImportSettings what = plan(file("a.txt", many_documents()));
  what.memory_bytes = 1 << 20;  // so that counting spills
  import(what);
  const std::size_t needed = largest_file(folder_ / "out" / "c");
  fs::remove_all(folder_ / "out" / "c");
  for (const std::size_t room :
       {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{5000}, std::size_t{30'000},
        std::size_t{100'000}, std::size_t{300'000}, needed - 1}) {
    for (const std::size_t threads : {1, 2}) {
      const FullDisk disk(room);
      EXPECT_TRUE(fails([&] { import(what, threads); }, Fault::io, "File too large; ")) << room;
      EXPECT_TRUE(nothing_left()) << room;
    }
  }
}

// Files that hold less than a buffer are written when they are closed: that may fail too.
TEST_F(Robustness, SmallFilesOnAFullDiskAreNoticed) {
  for (const std::string bytes : {"2 0:3 4:1\n0\n1 2:5\n", "1 0:1\n"}) {
    ImportSettings what = plan(file("a.ldac", bytes));
    what.format = Format::ldac;
    import(what);
    const std::size_t needed = largest_file(folder_ / "out" / "c");
    fs::remove_all(folder_ / "out" / "c");
    for (std::size_t room = 0; room < needed; room += 13) {
      const FullDisk disk(room);
      ASSERT_TRUE(fails([&] { import(what); }, Fault::io, "File too large; ")) << room;
      ASSERT_TRUE(nothing_left()) << room;
    }
  }
}

// What counting spills must be whole: a run cut short would be words lost in silence.
TEST_F(Robustness, SpillingToAFullDiskIsNoticed) {
  const std::string word(std::size_t{3} << 19, 'x');  // larger than the least memory of a counter
  for (const std::size_t room :
       {std::size_t{0}, std::size_t{24}, std::size_t{4096}, word.size(), word.size() + 23}) {
    Scratch scratch(folder_ / "out" / "scratch", {});
    WordCounter counter(scratch, "run", 0);
    counter.add_token(word);
    const FullDisk disk(room);
    EXPECT_TRUE(fails([&] { counter.end_document(); }, Fault::io, "run.0.run: ")) << room;
  }
  // Many small words: the last of them wait in a buffer when the rest is written.
  for (const std::size_t left_out : {1, 100, 4000}) {
    Scratch scratch(folder_ / "out" / "scratch", {});
    WordCounter counter(scratch, "run", 0);
    for (int i = 0; counter.runs() == 0; ++i) {
      counter.add_token("w" + std::to_string(i));
      if (i % 1000 == 999) {
        counter.end_document();
      }
    }
    const std::size_t whole = fs::file_size(scratch.folder() / "run.0.run");
    WordCounter again(scratch, "again", 0);
    const FullDisk disk(whole - left_out);
    const auto repeat = [&] {
      for (int i = 0; again.runs() == 0; ++i) {
        again.add_token("w" + std::to_string(i));
        if (i % 1000 == 999) {
          again.end_document();
        }
      }
    };
    EXPECT_TRUE(fails(repeat, Fault::io, "File too large; ")) << left_out;
  }
  EXPECT_TRUE(nothing_left());
}

TEST_F(Robustness, ADamagedSpillIsNotBelieved) {
  const std::string word(std::size_t{3} << 19, 'x');
  Scratch scratch(folder_ / "out" / "scratch", {});
  WordCounter counter(scratch, "run", 0);
  counter.add_token(word);
  counter.end_document();
  const auto merge = [&] { WordCounter::merge({&counter, 1}, [](const WordCount&) {}); };
  merge();
  fs::resize_file(scratch.folder() / "run.0.run", 1000);
  EXPECT_TRUE(fails(merge, Fault::io, "run.0.run: is cut short; check the disk"));
  fs::resize_file(scratch.folder() / "run.0.run", 10);  // in the middle of the numbers
  EXPECT_TRUE(fails(merge, Fault::io, "run.0.run: cannot be read back; check the disk"));
}

TEST_F(Robustness, PipesAreReadFromTheirBeginning) {
  const std::string text = many_documents();
  const ImportReport expected = import(plan(file("a.txt", text)));
  fs::remove_all(folder_ / "out" / "c");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  const ImportReport report = import(plan(pipe));
  EXPECT_EQ(report.documents, expected.documents);
  EXPECT_EQ(report.tokens, expected.tokens);
}

TEST_F(Robustness, MessagesAboutAPipeNameThePipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << "1 0:1\n1 0:x\n"; });
  ImportSettings what = plan(pipe);
  what.format = Format::ldac;
  EXPECT_TRUE(fails([&] { import(what); }, Fault::data, pipe.string() + ":2: count 'x'"));
  EXPECT_TRUE(nothing_left());
}

TEST_F(Robustness, CorpusAndSourceStayApart) {
  fs::create_directories(folder_ / "texts" / "deep");
  file("texts/a.txt", "ant\n");
  Threads pool(1);
  for (const char* to : {"texts", "texts/", "texts/c", "texts/deep/c", "texts/deep/../c/"}) {
    EXPECT_TRUE(fails(
        [&] { import_documents(plan(folder_ / "texts"), folder_ / to, Overwrite::yes, pool, {}); },
        Fault::config, "; choose another"))
        << to;
  }
  EXPECT_TRUE(fails(
      [&] {
        import_documents(plan(folder_ / "texts/a.txt"), folder_ / "texts", Overwrite::yes, pool,
                         {});
      },
      Fault::config, "one in the other"));
  EXPECT_TRUE(fs::exists(folder_ / "texts" / "a.txt"));
  // Names that only begin alike are apart.
  import_documents(plan(folder_ / "texts"), folder_ / "texts.corpus/", Overwrite::no, pool, {});
  EXPECT_EQ(Corpus::open(folder_ / "texts.corpus").documents(), 1u);
}

TEST_F(Robustness, OnlyACorpusIsReplaced) {
  Threads pool(1);
  const ImportSettings what = plan(file("a.txt", "cat\n"));
  const auto replace = [&](const fs::path& folder) {
    return import_documents(what, folder, Overwrite::yes, pool, {});
  };
  fs::create_directories(folder_ / "home");
  file("home/letter.txt", "dear");
  EXPECT_TRUE(fails([&] { replace(folder_ / "home"); }, Fault::cannot_create,
                    "home: exists and is no corpus; choose another folder"));
  EXPECT_TRUE(fails([&] { replace(folder_ / "home" / "letter.txt"); }, Fault::cannot_create,
                    "letter.txt: is no folder; give the name of a folder"));
  EXPECT_TRUE(fs::exists(folder_ / "home" / "letter.txt"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "home"), {}), 1);
  EXPECT_TRUE(replace(folder_ / "out"));  // an empty folder
  EXPECT_TRUE(replace(folder_ / "out"));  // a corpus
  EXPECT_EQ(Corpus::open(folder_ / "out").tokens(), 1u);
}

TEST_F(Robustness, VocabulariesAreLinesOfText) {
  ImportSettings what = plan(file("a.txt", "cat\n"));
  const auto refused = [&](std::string_view list, const std::string& problem) {
    what.vocabulary = file("words.txt", list);
    const auto result =
        fails([&] { import(what); }, Fault::data, what.vocabulary->string() + problem);
    return nothing_left() ? result : ::testing::AssertionFailure() << "something is left";
  };
  EXPECT_TRUE(refused("cat\ncaf\xE9\n", ":2: word 'caf\xE9' is not UTF-8; convert"));
  EXPECT_TRUE(refused("cat\nd\0g\n"s, ":2: word 'd.g' is not UTF-8"));
  EXPECT_TRUE(refused("cat\t12\n", ":1: word 'cat.12' holds a control character; give one word"));
  EXPECT_TRUE(refused("cat\ndog\r\r\n", ":2: word 'dog.' holds a control character"));
  EXPECT_TRUE(refused("cat\n\ndog\n", ":2: no word on this line"));
  EXPECT_TRUE(refused("cat\ndog\nCat\n", ":3: word 'cat' comes a second time"));
  EXPECT_TRUE(refused("", ": holds no words"));
  EXPECT_TRUE(refused(gzip("cat\ndog\n").substr(0, 20), ": byte 20: gzip data end too early"));
}

TEST_F(Robustness, NamesOfFilesNeedNotBeUtf8) {
  import(plan(file("caf\xE9.txt", "cat\n")));
  std::ifstream manifest(folder_ / "out" / "c" / "manifest.json");
  const std::string json(std::istreambuf_iterator<char>(manifest), {});
  EXPECT_NE(json.find("caf\uFFFD.txt"), std::string::npos);
}

}  // namespace
}  // namespace tain::robustness_test
