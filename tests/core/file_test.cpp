#include "core/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>

#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"

namespace tain::file_test {
namespace {

namespace fs = std::filesystem;

const Field option{"output"};

class Folder : public ::testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  const test::Folder folder_{"file"};
};

template <class F>
Fault fault_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.fault();
  }
  return Fault::gate_failed;  // no fault of a file
}

TEST_F(Folder, WritesAndReadsBytes) {
  const fs::path path = folder_ / "a.bin";
  const std::string bytes("a\0b\n", 4);
  write_atomically(path, bytes);
  EXPECT_EQ(read_file(path), bytes);
  write_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, FailedWriteLeavesTheOldFile) {
  const fs::path path = folder_ / "a.txt";
  write_atomically(path, "old");
  const auto failing = [](const fs::path& temporary) {
    std::ofstream(temporary) << "half";
    fail(Fault::io, "writer", "ran out of ideas");
  };
  EXPECT_THROW(write_atomically(path, failing), Error);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, LeftoversOfAFileAreRemovedAndNothingElse) {
  const std::set<std::string> others{"a.txt", ".a.txt", ".a.txt.7.1.tmp", ".b.txt.tain-new",
                                     "a.txt.tain-new"};
  for (const std::string& name : others) {
    std::ofstream(folder_ / name) << "kept";
  }
  const fs::path left = folder_ / ".a.txt.tain-new";
  const auto names = [&] {
    std::set<std::string> there;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
      there.insert(entry.path().filename().string());
    }
    return there;
  };
  fs::create_directory(left);
  std::ofstream(left / "a.txt") << "half";
  remove_leftovers(folder_ / "a.txt");
  EXPECT_EQ(names(), others);
  fs::create_directory(left);
  std::ofstream(left / "a.txt") << "half, and more than the whole";
  write_atomically(folder_ / "a.txt", "whole");
  EXPECT_EQ(read_file(folder_ / "a.txt"), "whole");
  EXPECT_EQ(names(), others);
  remove_leftovers(folder_ / "no such folder" / "a.txt");
}

TEST_F(Folder, WhatSomebodyIsWritingIsNoLeftover) {
  const fs::path path = folder_ / "a.txt";
  write_atomically(path, [&](const fs::path& draft) {
    std::ofstream(draft) << "first";
    remove_leftovers(path);
    EXPECT_TRUE(fs::exists(draft));
    for (const auto& act : std::initializer_list<std::function<void()>>{
             [&] { write_atomically(path, "second"); },
             [&] { require_creatable(option, path, Overwrite::yes); }}) {
      EXPECT_NE(test::message_of(Fault::cannot_create, act)
                    .find("another process is writing it; wait for it or choose another name"),
                std::string::npos);
    }
  });
  EXPECT_EQ(read_file(path), "first");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, LinksAreWrittenThrough) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/b.txt", folder_ / "link");
  fs::create_symlink(folder_ / "link", folder_ / "far" / "link of link");
  const fs::path link = folder_ / "far" / "link of link";
  EXPECT_EQ(link_target(link), folder_.path() / "far/b.txt");
  for (const std::string text : {"first", "second"}) {  // to nothing, then to a file
    write_atomically(link, text);
    EXPECT_EQ(read_file(folder_ / "far" / "b.txt"), text);
    EXPECT_TRUE(fs::is_symlink(link) && fs::is_symlink(folder_ / "link"));
  }
  EXPECT_EQ(files(), 2u);
  EXPECT_EQ(fault_of([&] { require_creatable(option, link, Overwrite::no); }),
            Fault::cannot_create);
  fs::create_symlink("missing/b.txt", folder_ / "astray");
  EXPECT_EQ(fault_of([&] { require_creatable(option, folder_ / "astray", Overwrite::no); }),
            Fault::cannot_create);
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(fault_of([&] { write_atomically(folder_ / "circle", "x"); }), Fault::cannot_create);
}

TEST_F(Folder, NamesMayBeAsLongAsTheFileSystemTakes) {
  const fs::path longest = folder_ / std::string(255, 'n');
  require_creatable(option, longest, Overwrite::no);
  write_atomically(longest, "text");
  EXPECT_EQ(read_file(longest), "text");
  EXPECT_EQ(files(), 1u);
  fs::path deep = folder_.path();
  while (deep.parent_path().native().size() < 4096) {
    deep /= std::string(200, 'd');
  }
  for (const fs::path& path : {folder_ / std::string(256, 'n'), deep}) {
    for (const auto& act : std::initializer_list<std::function<void()>>{
             [&] { require_creatable(option, path, Overwrite::no); },
             [&] { write_atomically(path, "text"); }}) {
      EXPECT_THAT(test::message_of(Fault::cannot_create, act),
                  ::testing::HasSubstr("File name too long"));
    }
  }
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, WriterThatWritesNothingIsAFault) {
  EXPECT_EQ(fault_of([&] { write_atomically(folder_ / "a", [](const fs::path&) {}); }), Fault::io);
}

TEST_F(Folder, MissingFolderCannotBeWrittenTo) {
  const fs::path path = folder_ / "missing" / "a.txt";
  EXPECT_EQ(fault_of([&] { write_atomically(path, "x"); }), Fault::cannot_create);
  EXPECT_EQ(fault_of([&] { require_creatable(option, path, Overwrite::no); }),
            Fault::cannot_create);
  EXPECT_EQ(fault_of([&] { MappedFile::create(path, 10); }), Fault::cannot_create);
}

TEST_F(Folder, AnOutputThatCannotBeNamesItsOption) {
  const auto problem_of = [&](const fs::path& path) {
    try {
      require_parent(option, path);
    } catch (const Error& error) {
      EXPECT_EQ(error.field()->name, "output");
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string place = "output " + (folder_ / "missing" / "a").string() + ": ";
  EXPECT_EQ(
      problem_of(folder_ / "missing" / "a"),
      place + "folder " + (folder_ / "missing").string() + " does not exist; create it first");
  write_atomically(folder_ / "file", "x");
  EXPECT_EQ(problem_of(folder_ / "file" / "a"), "output " + (folder_ / "file" / "a").string() +
                                                    ": " + (folder_ / "file").string() +
                                                    " is no folder; choose another place");
  EXPECT_EQ(problem_of(folder_ / "new"), "");
  EXPECT_EQ(folder_path("a/b/"), fs::path("a/b"));
  EXPECT_EQ(folder_path("a/b"), fs::path("a/b"));
}

TEST_F(Folder, ExistingFileNeedsConsent) {
  const fs::path path = folder_ / "a.txt";
  require_creatable(option, path, Overwrite::no);
  write_atomically(path, "x");
  try {
    require_creatable(option, path, Overwrite::no);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::cannot_create);
    EXPECT_EQ(std::string(error.what()),
              "output " + path.string() + ": exists; give overwrite = true to overwrite it");
  }
  require_creatable(option, path, Overwrite::yes);
  EXPECT_EQ(fault_of([&] { require_creatable(option, folder_.path(), Overwrite::yes); }),
            Fault::cannot_create);
}

TEST_F(Folder, PipesAreNotReplacedByFiles) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(write_atomically(pipe, "text"), Error);
  EXPECT_THROW(require_creatable(Field{"output"}, pipe, Overwrite::yes), Error);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(Folder, MissingInputIsNamed) {
  const fs::path path = folder_ / "missing.txt";
  try {
    read_file(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::no_input);
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
  EXPECT_EQ(fault_of([&] { read_file(folder_.path()); }), Fault::no_input);
  EXPECT_EQ(fault_of([&] { MappedFile::open_read_only(path); }), Fault::no_input);
}

TEST_F(Folder, MappedFileKeepsWhatIsWritten) {
  const fs::path path = folder_ / "a.bin";
  {
    const MappedFile file = MappedFile::create(path, 100'000);
    EXPECT_EQ(file.bytes().size(), 100'000u);
    EXPECT_EQ(file.bytes()[99'999], std::byte{0});
    file.bytes()[99'999] = std::byte{7};
    file.sync();
  }
  {
    MappedFile file = MappedFile::open_read_write(path);
    EXPECT_EQ(file.bytes()[99'999], std::byte{7});
    file.bytes()[0] = std::byte{8};
    MappedFile moved = std::move(file);
    moved.sync();
  }
  EXPECT_EQ(read_file(path).front(), 8);
  EXPECT_EQ(MappedFile::open_read_only(path).bytes()[0], std::byte{8});
}

TEST_F(Folder, EmptyAndAnonymousMappings) {
  EXPECT_TRUE(MappedFile::create(folder_ / "empty", 0).bytes().empty());
  EXPECT_TRUE(MappedFile::open_read_only(folder_ / "empty").bytes().empty());
  const MappedFile memory = MappedFile::anonymous(1000);
  std::memset(memory.bytes().data(), 1, 1000);
  memory.sync();
}

// A limit on file size stands for a full disk: space is refused on creation, and nothing is left.
TEST_F(Folder, SpaceIsReservedOnCreation) {
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Fault mapped = fault_of([&] { MappedFile::create(folder_ / "big", 1 << 20); });
  const Fault written =
      fault_of([&] { write_atomically(folder_ / "big", std::string(1 << 20, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(mapped, Fault::io);
  EXPECT_EQ(written, Fault::io);
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace tain::file_test
