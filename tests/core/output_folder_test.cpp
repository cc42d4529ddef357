#include "core/output_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::output_folder_test {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using ::testing::HasSubstr;
using Contents = std::map<std::string, std::string>;

constexpr std::array<std::string_view, 3> kind{"key", "a", "b"};
const Field option{"output"};

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

Contents contents(const fs::path& folder) {
  Contents files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
    }
  }
  return files;
}

void replace(const fs::path& folder, const Contents& files) {
  OutputFolder output(option, folder, kind);
  for (const auto& [name, text] : files) {
    write(output.draft() / name, text);
  }
  output.replace_files();
}

class Replacing : public ::testing::Test {
 protected:
  const test::Folder folder_{"output-folder"};
  const fs::path place_ = folder_ / "c";
};

TEST_F(Replacing, NewFilesTakeThePlacesOfAllOldOnes) {
  replace(place_, {{"key", "1"}, {"a", "1"}, {"other", "1"}});
  write(place_ / "mine.txt", "mine");
  replace(place_, {{"key", "2"}, {"b", "2"}});
  EXPECT_EQ(contents(place_),
            (Contents{{"key", "2"}, {"b", "2"}, {"other", "1"}, {"mine.txt", "mine"}}));
}

TEST_F(Replacing, WithoutItNothingIsLeft) {
  {
    const OutputFolder output(option, place_, kind);
    write(output.draft() / "key", "half");
    EXPECT_TRUE(output.empty());
  }
  EXPECT_FALSE(fs::exists(place_));
  fs::create_directory(place_);
  {
    const OutputFolder output(option, place_, kind);
    write(output.draft() / "key", "half");
  }
  EXPECT_TRUE(fs::is_empty(place_));
}

TEST_F(Replacing, OneAtATime) {
  const auto first = std::make_unique<OutputFolder>(option, place_, kind);
  EXPECT_THAT(message_of(Fault::cannot_create, [&] { OutputFolder(option, place_, kind); }),
              HasSubstr("another process writes in it; wait for it or choose another"));
  EXPECT_TRUE(fs::exists(place_));
}

TEST_F(Replacing, ThroughLinksAlsoThoseToNothing) {
  fs::create_directory_symlink("real", folder_ / "link");
  replace(folder_ / "link" / "", {{"key", "1"}});
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(contents(folder_ / "real"), (Contents{{"key", "1"}}));
  replace(folder_ / "link", {{"key", "2"}});
  EXPECT_EQ(contents(folder_ / "real"), (Contents{{"key", "2"}}));
}

TEST_F(Replacing, TheWorkingFolderIsAFolderLikeOthers) {
  replace(place_, {{"key", "1"}});
  const fs::path before = fs::current_path();
  fs::current_path(place_);
  replace(".", {{"key", "2"}});
  EXPECT_EQ(read_file("key"), "2");
  fs::current_path(before);
}

TEST_F(Replacing, FilesThatOthersKeepThereCountAsOthers) {
  fs::create_directories(place_ / "lost+found");
  EXPECT_TRUE(OutputFolder(option, place_, kind).empty());
  write(place_ / ".tain-notes", "mine");
  write(place_ / "x.tain-new", "mine");
  EXPECT_FALSE(OutputFolder(option, place_, kind).empty());
  EXPECT_EQ(contents(place_), (Contents{{".tain-notes", "mine"}, {"x.tain-new", "mine"}}));
}

// What processes leave that are killed on the way; golden.kill_stages_of_import kills them.
TEST_F(Replacing, WhatWasSetAsideIsTakenBack) {
  replace(place_, {{"key", "old"}, {"a", "old"}, {"b", "old"}});
  fs::create_directories(place_ / ".tain-old");
  fs::create_directories(place_ / ".tain-new");
  write(place_ / ".tain-new" / "key", "new");
  fs::rename(place_ / "key", place_ / ".tain-old" / "key");
  fs::rename(place_ / "a", place_ / ".tain-old" / "a");
  EXPECT_TRUE(was_being_replaced(place_));
  {
    const OutputFolder mended(option, place_, kind);
  }
  EXPECT_EQ(contents(place_), (Contents{{"key", "old"}, {"a", "old"}, {"b", "old"}}));
  EXPECT_FALSE(was_being_replaced(place_));
}

TEST_F(Replacing, WhatWasReadyTakesItsPlace) {
  replace(place_, {{"b", "new"}});
  fs::create_directories(place_ / ".tain-old");
  fs::create_directories(place_ / ".tain-ready");
  write(place_ / ".tain-old" / "key", "old");
  write(place_ / ".tain-old" / "b", "old");
  write(place_ / ".tain-ready" / "key", "new");
  write(place_ / ".tain-ready" / "a", "new");
  EXPECT_TRUE(was_being_replaced(place_));
  {
    const OutputFolder mended(option, place_, kind);
  }
  EXPECT_EQ(contents(place_), (Contents{{"key", "new"}, {"a", "new"}, {"b", "new"}}));
  EXPECT_FALSE(was_being_replaced(place_));
}

TEST_F(Replacing, WhatAKilledProcessLeftGoesUnlessSomebodyWritesIt) {
  replace(place_, {{"key", "1"}});
  for (const char* name : {".tain-new", ".tain-scratch", ".a.tain-new", ".b.tain-new"}) {
    fs::create_directory(place_ / name);
    write(place_ / name / "half", "half");
  }
  const std::optional<FolderLock> writer = FolderLock::take(place_ / ".b.tain-new");
  {
    const OutputFolder cleared(option, place_, kind);
  }
  EXPECT_EQ(contents(place_), (Contents{{"key", "1"}, {".b.tain-new/half", "half"}}));
}

}  // namespace
}  // namespace tain::output_folder_test
