// State to bytes and back, in a string and in a file.
#include "core/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/file.hpp"
#include "support/errors.hpp"
#include "support/folder.hpp"
#include "tain/core/error.hpp"

namespace tain::archive_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct State {
  std::uint64_t count = 0;
  double number = 0;
  std::string text;
  std::vector<double> values;
  std::vector<float> cells = std::vector<float>(400'000);  // more than a buffer
  void archive(Archive& a) {
    a.field(count);
    a.field(number);
    a.field(text);
    a.field(values);
    a.field(std::span(cells));
  }
  bool operator==(const State&) const = default;
};

State some_state() {
  State state{.count = 7, .number = -0.5, .text = "text", .values = {1, 2, 3}};
  std::iota(state.cells.begin(), state.cells.end(), 0.25F);
  return state;
}

TEST(Archive, AFileGivesBackWhatWasWritten) {
  const test::Folder folder("archive");
  State state = some_state();
  const fs::path path = folder.path() / "state";
  const ArchiveFile written = write_archive(path, [&](Archive& a) {
    EXPECT_FALSE(a.reading());
    state.archive(a);
    EXPECT_FALSE(fs::exists(path)) << "before it is whole";
  });
  EXPECT_EQ(written.bytes, fs::file_size(path));
  Archive a(path);
  EXPECT_EQ(a.file(), written);
  State read;
  read.archive(a);
  a.expect_end();
  EXPECT_EQ(read, state);
}

TEST(Archive, PassesOverBytes) {
  const test::Folder folder("archive-skip");
  const fs::path path = folder.path() / "state";
  State state = some_state();
  write_archive(path, [&](Archive& a) { state.archive(a); });
  Archive in_memory;
  state.archive(in_memory);
  Archive from_file(path), from_string(in_memory.finish(), "string");
  for (Archive* a : {&from_file, &from_string}) {
    State head;
    a->field(head.count);
    a->skip(sizeof(double));
    a->field(head.text);
    a->field(head.values);
    a->skip((state.cells.size() - 1) * sizeof(float));
    float last = 0;
    a->field(std::span(&last, 1));
    EXPECT_EQ(head.text, state.text);
    EXPECT_EQ(last, state.cells.back());
    a->expect_end();
    EXPECT_THAT(test::message_of(Fault::data, [&] { a->skip(1); }), HasSubstr("too early"));
  }
}

TEST(Archive, DamageIsSeenBeforeAnythingIsRead) {
  const test::Folder folder("archive-damage");
  const fs::path path = folder.path() / "state";
  State state = some_state();
  write_archive(path, [&](Archive& a) { state.archive(a); });
  const std::string bytes = read_file(path);
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 13) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_atomically(path, damaged);
    EXPECT_THAT(test::message_of(Fault::data, [&] { Archive a(path); }), HasSubstr("state"));
    write_atomically(path, std::string_view(bytes).substr(0, at));
    EXPECT_THAT(test::message_of(Fault::data, [&] { Archive a(path); }), HasSubstr("state"));
  }
  EXPECT_THAT(test::message_of(Fault::no_input, [&] { Archive a(folder.path() / "none"); }),
              HasSubstr("none"));
}

TEST(Archive, AFailureLeavesTheFileThatWasThere) {
  const test::Folder folder("archive-failure");
  const fs::path path = folder.path() / "state";
  State state = some_state();
  write_archive(path, [&](Archive& a) { state.archive(a); });
  const std::string before = read_file(path);
  EXPECT_THROW(write_archive(path,
                             [&](Archive& a) {
                               state.archive(a);
                               fail(Fault::data, "state", "broke", "");
                             }),
               Error);
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace tain::archive_test
