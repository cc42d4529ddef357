// Input that does not come, never ends, or goes away while it is read.
#include "core/input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/archive.hpp"
#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"

namespace tain::input_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path pipe_in(const test::Folder& folder) {
  const fs::path path = folder / "pipe";
  EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
  return path;
}

/// Calls waiting off, until the end of the test.
class CalledOff {
 public:
  CalledOff() {
    while_waiting_for_input(
        [](const std::string& name) { fail(Fault::interrupted, name, "called off"); });
  }
  ~CalledOff() { while_waiting_for_input({}); }
};

TEST(Input, WaitingForAPipeIsCalledOff) {
  const test::Folder folder("input");
  const fs::path path = pipe_in(folder);
  const CalledOff called_off;
  EXPECT_THAT(test::message_of(Fault::interrupted, [&] { read_file(path); }), HasSubstr("pipe"))
      << "before anybody has opened it to write";
  const Descriptor writer(path, O_RDWR);  // which needs no reader
  Input input(path);
  std::array<char, 16> buffer{};
  ASSERT_EQ(::write(writer.value(), "some", 4), 4);
  EXPECT_EQ(input.read(buffer), 4U);
  EXPECT_THAT(test::message_of(Fault::interrupted, [&] { input.read(buffer); }),
              HasSubstr("called off"))
      << "after some of it has come";
}

TEST(Input, APipeIsReadToItsEnd) {
  const test::Folder folder("input");
  const fs::path path = pipe_in(folder);
  const std::string text(200'000, 'x');  // more than a pipe holds
  std::jthread writer([&] { std::ofstream(path) << text; });
  EXPECT_EQ(read_file(path), text);
}

TEST(Input, WhatHasNoEndIsRefused) {
  const std::string message =
      test::message_of(Fault::data, [] { read_file("/dev/zero", std::uint64_t{1} << 20); });
  EXPECT_THAT(message, HasSubstr("/dev/zero: is larger than 1 MB"));
}

TEST(Input, FilesAreNotLargerThanTheirReaderTakes) {
  const test::Folder folder("input");
  const fs::path path = folder / "large";
  std::ofstream(path) << "12345";
  EXPECT_EQ(read_file(path, 5), "12345");
  EXPECT_THAT(test::message_of(Fault::data, [&] { read_file(path, 4); }),
              HasSubstr("is larger than 4 B"));
  fs::resize_file(path, std::uintmax_t{1} << 42);  // sparse: nothing of it is read
  EXPECT_THAT(test::message_of(Fault::data, [&] { read_file(path); }),
              HasSubstr("is larger than 4 GB"));
}

TEST(Input, NothingWaitsToOpenAPipe) {
  const test::Folder folder("input");
  const fs::path path = pipe_in(folder);
  EXPECT_THAT(test::message_of(Fault::no_input, [&] { MappedFile::open_read_only(path); }),
              HasSubstr("is not a plain file"));
  EXPECT_THAT(test::message_of(Fault::no_input, [&] { MappedFile::open_read_write(path); }),
              HasSubstr("is not a plain file"));
  EXPECT_THAT(test::message_of(Fault::no_input, [&] { Archive a(path); }),
              HasSubstr("is not a plain file"));
}

TEST(Input, HashesOfPiecesAreThoseOfTheWhole) {
  const test::Folder folder("input");
  const fs::path path = folder / "file";
  const std::string text(150'000, 'y');
  std::ofstream(path) << text;
  EXPECT_EQ(std::stoull(file_hash(path), nullptr, 16), fingerprint(text));
}

// ---- maps whose file goes away -----------------------------------------------------------------

std::uint64_t sum(std::span<const std::byte> bytes) {
  std::uint64_t total = 0;
  for (const std::byte byte : bytes) {
    total += std::to_integer<std::uint64_t>(byte);
  }
  return total;
}

TEST(MappedFile, AFileThatBecomesShorterIsAnErrorAndNoSignal) {
  const test::Folder folder("mapped");
  const fs::path path = folder / "file";
  std::ofstream(path) << std::string(100'000, '\1');
  const MappedFile file = MappedFile::open_read_only(path);
  EXPECT_EQ(sum(file.bytes()), 100'000U);
  file.require_whole();
  fs::resize_file(path, 5000);
  const std::uint64_t left = sum(file.bytes());
  EXPECT_GE(left, 5000U);
  EXPECT_LE(left, 8192U) << "what was there, and zeros";
  EXPECT_THAT(test::message_of(Fault::io, [&] { file.require_whole(); }),
              HasSubstr("file: became shorter"));
  const MappedFile again = MappedFile::open_read_only(path);
  EXPECT_EQ(sum(again.bytes()), 5000U);
  again.require_whole();
}

TEST(MappedFile, WhatIsWrittenToAFileThatIsGoneIsNotSynced) {
  const test::Folder folder("mapped");
  const fs::path path = folder / "file";
  const MappedFile file = MappedFile::create(path, 100'000);
  fs::resize_file(path, 0);
  file.bytes()[50'000] = std::byte{1};
  EXPECT_THAT(test::message_of(Fault::io, [&] { file.sync(); }), HasSubstr("became shorter"));
}

TEST(MappedFile, OtherSignalsAreForOthers) {
  const test::Folder folder("mapped");
  std::ofstream(folder / "file") << "x";
  const MappedFile file = MappedFile::open_read_only(folder / "file");
  EXPECT_EXIT(std::raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

TEST(MappedFile, ManyThreadsMayFindThatItIsGone) {
  const test::Folder folder("mapped");
  const fs::path path = folder / "file";
  std::ofstream(path) << std::string(1 << 20, '\1');
  const MappedFile file = MappedFile::open_read_only(path);
  fs::resize_file(path, 0);
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 8; ++i) {
      readers.emplace_back([&] { EXPECT_EQ(sum(file.bytes()), 0U); });
    }
  }
  EXPECT_THROW(file.require_whole(), Error);
}

}  // namespace
}  // namespace tain::input_test
