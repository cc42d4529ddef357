#include "core/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <set>

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
  const std::set<std::string> others{"a.txt",          ".a.txt.tmp",      ".a.txt.b.1.tmp",
                                     ".b.txt.7.1.tmp", ".a.txt.7.1.tmpx", ".a.txt..tmp.bak"};
  for (const std::string& name : others) {
    std::ofstream(folder_ / name) << "kept";
  }
  std::ofstream(folder_ / ".a.txt.7.1.tmp") << "left";
  std::ofstream(folder_ / ".a.txt.1234.20.tmp") << "left";
  remove_leftovers(folder_ / "a.txt");
  std::set<std::string> there;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
    there.insert(entry.path().filename().string());
  }
  EXPECT_EQ(there, others);
  remove_leftovers(folder_ / "no such folder" / "a.txt");
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
