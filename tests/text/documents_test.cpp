#include "text/documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/file.hpp"
#include "support/folder.hpp"
#include "targets/errors.hpp"

namespace tain::documents_test {
namespace {

using ::testing::ElementsAre;
using testing_support::fails;
namespace fs = std::filesystem;

/// Bytes that arrive a few at a time.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t step) : bytes_(bytes, "memory"), step_(step) {}
  std::size_t read(std::span<char> into) override {
    return bytes_.read(into.first(std::min(step_, into.size())));
  }
  const std::string& name() const override { return bytes_.name(); }
  std::uint64_t consumed() const override { return bytes_.consumed(); }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  MemoryBytes bytes_;
  std::size_t step_;
};

/// `id|title|text` of each document.
std::vector<std::string> all_of(DocumentReader& reader) {
  std::vector<std::string> all;
  Document document;
  while (reader.next(document)) {
    all.push_back(std::string(document.id) + '|' + std::string(document.title) + '|' +
                  std::string(document.text));
  }
  EXPECT_EQ(reader.counts().documents, all.size());
  EXPECT_FALSE(reader.next(document));
  return all;
}

std::unique_ptr<DocumentReader> reader_of(Format format, std::string_view bytes,
                                          std::size_t step = 1 << 20) {
  return read_documents(format, std::make_unique<Trickle>(bytes, step));
}

std::vector<std::string> documents(Format format, std::string_view bytes,
                                   std::size_t step = 1 << 20) {
  return all_of(*reader_of(format, bytes, step));
}

TEST(TextDocuments, lines_keep_their_numbers) {
  EXPECT_THAT(documents(Format::text, "one\n\nthree\ttabs\r\nfour"),
              ElementsAre("1||one", "2||", "3||three\ttabs", "4||four"));
  EXPECT_THAT(documents(Format::text, ""), ElementsAre());
}

TEST(TabDocuments, have_two_or_three_columns) {
  EXPECT_THAT(documents(Format::tsv, "a\tA\tsome text\nb\t\t\n"),
              ElementsAre("a|A|some text", "b||"));
  EXPECT_THAT(documents(Format::tsv, "a\tsome text\n\t\n"), ElementsAre("a||some text", "||"));
}

TEST(TabDocuments, wrong_columns_are_errors_with_their_line) {
  const auto read = [](std::string_view bytes) {
    return [bytes] { documents(Format::tsv, bytes); };
  };
  EXPECT_TRUE(fails(read("no tab"), Fault::data, "memory:1: 1 columns; give id<TAB>text"));
  EXPECT_TRUE(fails(read("a\tb\tc\td"), Fault::data, "memory:1: 4 columns"));
  EXPECT_TRUE(
      fails(read("a\tb\tc\na\tb\n"), Fault::data, "memory:2: 2 columns but 3 in the first"));
  EXPECT_TRUE(fails(read("a\tb\n\n"), Fault::data, "memory:2: 1 columns but 2"));
}

TEST(Documents, bags_are_refused) {
  EXPECT_TRUE(fails([] { reader_of(Format::uci, "1\n"); }, Fault::internal, "uci"));
}

class Folder : public ::testing::Test {
 protected:
  void write(const std::string& path, std::string_view bytes) {
    fs::create_directories((root_ / path).parent_path());
    write_atomically(root_ / path, bytes);
  }
  const test::Folder root_{"documents"};
};

TEST_F(Folder, files_come_in_the_order_of_their_paths) {
  for (const char* path : {"a/x", "a.txt", "a-b", "a0", "b/c/d/e", "b/c.txt", "B", "\xC3\xA9",
                           "z/"
                           "-"}) {
    write(path, std::string("text of ") + path);
  }
  const auto reader = read_folder(root_.path());
  const auto found = all_of(*reader);
  EXPECT_THAT(found,
              ElementsAre("B|B|text of B", "a-b|a-b|text of a-b", "a.txt|a.txt|text of a.txt",
                          "a/x|x|text of a/x", "a0|a0|text of a0", "b/c.txt|c.txt|text of b/c.txt",
                          "b/c/d/e|e|text of b/c/d/e", "z/-|-|text of z/-",
                          "\xC3\xA9|\xC3\xA9|text of \xC3\xA9"));
  EXPECT_TRUE(std::ranges::is_sorted(found));
  EXPECT_EQ(reader->where(), (root_ / "\xC3\xA9").string());
  EXPECT_GT(reader->consumed(), 0u);
}

TEST_F(Folder, links_to_folders_are_not_followed) {
  write("a/file", "long text\nof two lines");
  write("b", "");
  fs::create_directory_symlink(root_.path(), root_ / "a/loop");
  fs::create_directory_symlink(root_ / "a", root_ / "again");
  fs::create_symlink(root_ / "missing", root_ / "dangling");
  fs::create_symlink(root_ / "a/file", root_ / "link");
  const auto reader = read_folder(root_.path());
  EXPECT_THAT(all_of(*reader), ElementsAre("a/file|file|long text\nof two lines", "b|b|",
                                           "link|link|long text\nof two lines"));
  EXPECT_EQ(reader->counts(), (DocumentCounts{.documents = 3, .not_files = 3}));
}

TEST_F(Folder, a_short_file_after_a_long_one_and_compressed_ones) {
  write("a", std::string(1'000'000, 'x'));
  write("b", "short");
  // printf hi | gzip -n
  write("c.gz", std::string_view("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\xc8\x04\x00\xac\x2a"
                                 "\x93\xd8\x02\x00\x00\x00",
                                 22));
  const auto found = all_of(*read_folder(root_.path()));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].size(), 1'000'004u);
  EXPECT_EQ(found[1], "b|b|short");
  EXPECT_EQ(found[2], "c.gz|c.gz|hi");
}

TEST_F(Folder, faults_name_the_path) {
  EXPECT_TRUE(fails([&] { read_folder(root_ / "missing"); }, Fault::no_input, "missing: "));
  write("utf16", std::string_view("\xFF\xFEh\0", 4));
  EXPECT_TRUE(fails([&] { all_of(*read_folder(root_.path())); }, Fault::data, "utf16: is UTF-16"));
}

// Dumps.

const std::string dump = read_file(fs::path(TAIN_TEST_DATA) / "data/dump.xml");

TEST(WikiDump, articles_are_read_as_written_down) {
  const std::string expected = read_file(fs::path(TAIN_TEST_DATA) / "data/dump.txt");
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, dump.size()}) {
    const auto reader = reader_of(Format::wikipedia, dump, step);
    std::string found;
    for (const std::string& document : all_of(*reader)) {
      found += document + '\n';
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(reader->counts(), (DocumentCounts{.documents = 8, .redirects = 2, .other_pages = 2}));
  }
}

TEST(WikiDump, knows_where_a_page_begins) {
  const auto reader = reader_of(Format::wikipedia, dump);
  Document document;
  ASSERT_TRUE(reader->next(document));
  EXPECT_EQ(reader->where(), "memory:11");
  EXPECT_EQ(reader->size(), dump.size());
}

TEST(WikiDump, every_truncation_is_an_error) {
  const std::string_view all = dump;
  for (std::size_t size = 0; size + 1 < all.size(); size += size < 100 ? 1 : 37) {
    EXPECT_TRUE(fails([&] { documents(Format::wikipedia, all.substr(0, size)); }, Fault::data,
                      "ends too early"))
        << size;
  }
}

std::string page(const std::string& inside) {
  return "<mediawiki><page><title>t</title><id>1</id><revision><text>" + inside +
         "</text></revision></page></mediawiki>";
}

TEST(WikiDump, damage_is_an_error_with_its_line) {
  const auto read = [](const std::string& bytes) {
    return [bytes] { documents(Format::wikipedia, bytes); };
  };
  EXPECT_TRUE(fails(read("<mediawiki>\n<page></mediawiki>"), Fault::data, "memory:2: not XML: "));
  EXPECT_TRUE(
      fails(read("<html></html>"), Fault::data, "memory:1: the outermost element is <html>"));
  EXPECT_TRUE(fails(read(page("\xFF")), Fault::data, "not XML"));
  EXPECT_TRUE(fails(read("<!DOCTYPE x [<!ENTITY a 'b'>]>" + page("&a;")), Fault::data,
                    "document type declaration"));
  std::string deep = "<mediawiki>";
  for (int i = 0; i < 100; ++i) {
    deep += "<a>";
  }
  EXPECT_TRUE(fails(read(deep), Fault::data, "nested more than 64 deep"));
  std::string spaces = "<mediawiki><siteinfo>";
  for (int i = 0; i < 101; ++i) {
    spaces += "<namespace key='6'>a</namespace>";
  }
  EXPECT_TRUE(fails(read(spaces), Fault::data, "more than 100 namespaces"));
}

TEST(WikiDump, long_tags_are_refused_and_long_texts_are_not) {
  const std::string long_text(3 << 20, 'x');
  const auto read = [](const std::string& bytes) {
    return [bytes] { documents(Format::wikipedia, bytes); };
  };
  EXPECT_TRUE(fails(read("<mediawiki a='" + long_text + "'></mediawiki>"), Fault::data,
                    "a tag or comment of more than 1048576 bytes"));
  EXPECT_TRUE(fails(read("<mediawiki><!--" + long_text + "--></mediawiki>"), Fault::data,
                    "a tag or comment of more than"));
  const auto found = documents(Format::wikipedia, page(long_text));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "1|t|" + long_text);
}

}  // namespace
}  // namespace tain::documents_test
