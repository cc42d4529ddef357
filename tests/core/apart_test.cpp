#include "core/apart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::apart_test {
namespace {

namespace fs = std::filesystem;

class Apart : public ::testing::Test {
 protected:
  Apart() {
    std::ofstream(folder_ / "there") << "text";
    fs::create_symlink("there", folder_ / "link");
    fs::create_hard_link(folder_ / "there", folder_ / "hard");
    fs::create_symlink("not there", folder_ / "astray");
    fs::create_directory(folder_ / "sub");
    fs::create_directory_symlink("sub", folder_ / "sublink");
  }
  void expect_same(const fs::path& a, const fs::path& b) const {
    const NamedPath output{Field{"report"}, a}, other{Field{"output"}, b};
    const std::string message =
        "report " + a.string() + ": is the same place as output; choose another place";
    EXPECT_EQ(test::message_of(Fault::config,
                               [&] {
                                 const std::vector<NamedPath> both{other, output};
                                 require_apart(both, {});
                               }),
              message);
    EXPECT_EQ(test::message_of(Fault::config, [&] { require_apart({&output, 1}, {&other, 1}); }),
              message);
  }
  void expect_apart(const fs::path& a, const fs::path& b) const {
    const NamedPath output{Field{"report"}, a}, other{Field{"output"}, b};
    EXPECT_NO_THROW(require_apart({&output, 1}, {&other, 1})) << a << b;
  }
  const test::Folder folder_{"apart"};
};

TEST_F(Apart, OneFileUnderTwoNames) {
  const std::vector<std::string> names{"there",   "link",         "hard",
                                       "./there", "sub/../there", "sublink/../link"};
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      expect_same(folder_ / a, folder_ / b);
    }
  }
}

TEST_F(Apart, FilesThatAreNotThereYet) {
  expect_same(folder_ / "new", folder_ / "sub/../new");
  expect_same(folder_ / "sub/new", folder_ / "sublink/new");
  expect_same(folder_ / "astray", folder_ / "not there");
  expect_same("new", fs::current_path() / "new");
  expect_apart(folder_ / "new", folder_ / "newer");
  expect_apart(folder_ / "new", folder_ / "sub/new");
  expect_apart(folder_ / "missing/new", folder_ / "missing/new");  // nobody can write there
}

TEST_F(Apart, NothingAndStandardOutputAreNoFiles) {
  expect_apart("", "");
  expect_apart("-", "-");
  expect_apart(folder_ / "there", "");
}

TEST_F(Apart, FoldersOfInputs) {
  const NamedPath output{Field{"output"}, folder_ / "sublink/page.html"},
      input{"the model", folder_ / "sub"};
  EXPECT_THAT(test::message_of(Fault::config, [&] { require_apart({&output, 1}, {&input, 1}); }),
              ::testing::HasSubstr("page.html: would lie in the model; choose another place"));
  expect_apart(folder_ / "page.html", folder_ / "sub");
}

}  // namespace
}  // namespace tain::apart_test
