// Bytes come back as they were compressed; whatever else a file may be is refused with its place.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/folder.hpp"
#include "targets/errors.hpp"
#include "text/sources.hpp"

namespace tain::bytes_test {
namespace {

using namespace testing_text;
using namespace std::string_literals;
using testing_support::fails;

class Files : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  const test::Folder folder_{"bytes"};
};

/// Text that compresses a little, with all byte values.
std::string example(std::size_t bytes) {
  std::string text;
  for (std::uint32_t state = 1; text.size() < bytes; state = state * 1664525 + 1013904223) {
    text += static_cast<char>(state >> 24 & (state >> 16 & 1 ? 0xFF : 0x07));
  }
  return text;
}

rc::Gen<std::vector<std::size_t>> read_sizes() {
  return rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(
      rc::gen::weightedOneOf<std::size_t>({{3, rc::gen::inRange<std::size_t>(1, 9)},
                                           {1, rc::gen::inRange<std::size_t>(1, 5000)}})));
}

RC_GTEST_PROP(Decompression, IsTheInverseOfCompression, ()) {
  const Compression compression = *rc::gen::elementOf(compressions);
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  const std::size_t long_part = *rc::gen::inRange<std::size_t>(0, 200'000);
  std::string stored, expected;
  for (const std::string& part : parts) {
    stored += compress(compression, part);
    expected += part;
  }
  stored += compress(compression, example(long_part));
  expected += example(long_part);
  // Bytes that are not compressed must not look as if they were.
  RC_PRE(compression != Compression::none || detect_compression(expected) == Compression::none);
  const auto source = decompress(std::make_unique<Trickle>(stored, *read_sizes()));
  RC_ASSERT(drain(*source, *read_sizes()) == expected);
  RC_ASSERT(source->consumed() == stored.size());
  RC_ASSERT(source->size() == stored.size());
}

std::size_t magic_size(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return 2;
    case Compression::xz:
      return 6;
    default:
      return 4;
  }
}

TEST(Decompression, EveryMissingEndIsFound) {
  const std::string text = example(3000);
  for (const Compression compression : compressions) {
    if (compression == Compression::none) {
      continue;
    }
    const std::string stored = compress(compression, text);
    for (std::size_t size = magic_size(compression); size < stored.size(); ++size) {
      ASSERT_TRUE(fails([&] { unpacked(stored.substr(0, size)); }, Fault::data,
                        "t: byte " + std::to_string(size) + ": " +
                            std::string(compression_name(compression)) + " data end too early"))
          << size;
      // The second of two streams.
      const std::string twice = stored + stored.substr(0, size);
      ASSERT_TRUE(fails([&] { unpacked(twice); }, Fault::data, "data end too early")) << size;
    }
  }
}

TEST(Decompression, DamageGivesNoOtherText) {
  const std::string text = example(3000);
  for (const Compression compression : compressions) {
    if (compression == Compression::none) {
      continue;
    }
    const std::string stored = compress(compression, text);
    std::size_t found = 0;
    // Ten bytes tell bzip2 from text: without them it is text.
    const bool bzip2_file = compression == Compression::bzip2;
    for (std::size_t i = bzip2_file ? 10 : magic_size(compression); i < stored.size(); ++i) {
      std::string damaged = stored;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
      std::string result = text;
      try {
        result = unpacked(damaged);
      } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::data);
        EXPECT_TRUE(std::string(error.what()).starts_with("t: ")) << error.what();
        ++found;
      }
      // Some bits carry nothing (gzip's time of writing): then the text is what it was.
      ASSERT_TRUE(result == text) << compression_name(compression) << " byte " << i;
    }
    EXPECT_GT(found, stored.size() - 32);
  }
}

TEST(Decompression, BytesAfterTheEndAreRefused) {
  for (const Compression compression : compressions) {
    if (compression == Compression::none) {
      continue;
    }
    const std::string stored = compress(compression, "text");
    const std::string place = "t: byte " + std::to_string(stored.size()) + ": bytes after the end";
    EXPECT_TRUE(fails([&] { unpacked(stored + "x"); }, Fault::data, place));
    EXPECT_TRUE(fails([&] { unpacked(stored + "more text that follows"); }, Fault::data, place));
    const auto other = compression == Compression::xz ? gzip("text") : xz("text");
    EXPECT_TRUE(fails([&] { unpacked(stored + other); }, Fault::data, place));
  }
}

TEST(Decompression, PaddingIsSkipped) {
  const std::string zeros(300'000, '\0');
  EXPECT_EQ(unpacked(gzip("a") + zeros), "a");
  EXPECT_EQ(unpacked(gzip("a") + zeros + gzip("b")), "ab");
  EXPECT_EQ(unpacked(xz("a") + zeros), "a");
  EXPECT_EQ(unpacked(xz("a") + "\0\0\0\0"s + xz("b")), "ab");
  EXPECT_TRUE(fails([] { unpacked(xz("a") + "\0\0\0"s); }, Fault::data, "multiple of four"));
  EXPECT_TRUE(fails([] { unpacked(zstd("a") + "\0\0\0\0"s); }, Fault::data, "after the end"));
  EXPECT_TRUE(fails([] { unpacked(bzip2("a") + "\0\0\0\0"s); }, Fault::data, "after the end"));
}

TEST(Decompression, SkippableFramesAreSkipped) {
  const std::string frame = "\x51\x2A\x4D\x18\x03\x00\x00\x00xyz"s;
  EXPECT_EQ(unpacked(frame + zstd("a") + frame + zstd("b") + frame), "ab");
}

TEST(Decompression, MemoryIsLimited) {
  // An empty frame whose header asks for a window of 2^(10 + exponent) (1 + mantissa / 8) bytes.
  const auto frame = [](int exponent, int mantissa) {
    return "\x28\xB5\x2F\xFD\x00"s + static_cast<char>(exponent << 3 | mantissa) + "\x01\x00\x00"s;
  };
  EXPECT_EQ(unpacked(frame(17, 0)), "");
  EXPECT_TRUE(fails([&] { unpacked(frame(17, 1)); }, Fault::data, "window of more than 128 MiB"));
  EXPECT_TRUE(fails([&] { unpacked(frame(21, 0)); }, Fault::data, "window of more than 128 MiB"));

  // The header of an xz block with a dictionary of 512 MiB.
  lzma_stream_flags flags{};
  flags.check = LZMA_CHECK_NONE;
  lzma_options_lzma options{};
  lzma_lzma_preset(&options, 0);
  options.dict_size = 512u << 20;
  lzma_filter filters[2] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  lzma_block block{};
  block.check = LZMA_CHECK_NONE;
  block.compressed_size = block.uncompressed_size = LZMA_VLI_UNKNOWN;
  block.filters = filters;
  ASSERT_EQ(lzma_block_header_size(&block), LZMA_OK);
  std::string stored(LZMA_STREAM_HEADER_SIZE + block.header_size, '\0');
  auto* const bytes = reinterpret_cast<std::uint8_t*>(stored.data());
  ASSERT_EQ(lzma_stream_header_encode(&flags, bytes), LZMA_OK);
  ASSERT_EQ(lzma_block_header_encode(&block, bytes + LZMA_STREAM_HEADER_SIZE), LZMA_OK);
  EXPECT_TRUE(fails([&] { unpacked(stored + "\x01"); }, Fault::data, "more than 256 MiB"));
}

TEST(Decompression, BombsAreRefused) {
  const std::string zeros(bomb_grace_bytes / 4, '\0');
  for (const std::string& quarter : {gzip(zeros), bzip2(zeros), xz(zeros), zstd(zeros)}) {
    ASSERT_GT(zeros.size() / quarter.size(), bomb_ratio);
    std::string stored = quarter + quarter + quarter;
    std::size_t given = 0;
    const auto swallow = [&] {
      given = 0;
      const auto source = decompress(std::make_unique<MemoryBytes>(stored, "t"));
      std::vector<char> piece(1 << 20);
      for (std::size_t count = 1; count > 0; given += count) {
        count = source->read(piece);
      }
    };
    swallow();
    EXPECT_EQ(given, 3 * zeros.size());
    stored += quarter + quarter;
    EXPECT_TRUE(fails(swallow, Fault::data, "decompression bomb"));
    EXPECT_LE(given, bomb_grace_bytes + (1 << 20));
  }
}

TEST(Decompression, TextThatLooksLikeAMagicNumberIsText) {
  for (const std::string text : {"BZh9 is how it begins", "BZ", "PK", "(\xB5/", "\x1F", ""}) {
    EXPECT_EQ(unpacked(text), text);
  }
}

TEST(Decompression, ArchivesAreNamed) {
  EXPECT_TRUE(fails([] { unpacked("PK\x03\x04 and so on"); }, Fault::data, "t: is a zip archive"));
  EXPECT_TRUE(fails([] { unpacked("7z\xBC\xAF\x27\x1C"); }, Fault::data, "7z"));
  EXPECT_TRUE(fails([] { unpacked("Rar!\x1A\x07"); }, Fault::data, "rar"));
  EXPECT_TRUE(fails([] { unpacked("LZIP\x01"); }, Fault::data, "lzip"));
  EXPECT_TRUE(fails([] { unpacked("\x04\x22\x4D\x18"); }, Fault::data, "lz4"));
  EXPECT_TRUE(fails([] { unpacked("\x1F\x9D"); }, Fault::data, "compress"));
  const std::string tar = std::string(257, 'a') + "ustar  \0"s;
  EXPECT_TRUE(fails([&] { unpacked(tar); }, Fault::data, "tar archive"));
  EXPECT_TRUE(fails([&] { unpacked(gzip(tar)); }, Fault::data, "tar archive"));
}

TEST_F(Files, OpenByContentNotByName) {
  for (const Compression compression : compressions) {
    const auto path = write("misnamed.zip", compress(compression, "some text\n"));
    const auto source = open_bytes(path);
    EXPECT_EQ(source->name(), path.string());
    EXPECT_EQ(source->size(), std::filesystem::file_size(path));
    EXPECT_EQ(drain(*source), "some text\n");
    EXPECT_EQ(source->consumed(), source->size());
  }
}

TEST_F(Files, WhatCannotBeOpenedIsNamed) {
  EXPECT_TRUE(fails([&] { open_bytes(folder_ / "none.txt"); }, Fault::no_input,
                    (folder_ / "none.txt").string() + ": No such file"));
  EXPECT_TRUE(fails([&] { open_bytes(folder_.path()); }, Fault::no_input, "is a folder"));
}

TEST_F(Files, StandardInputIsRead) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string stored = bzip2("from a pipe");
  ASSERT_EQ(::write(ends[1], stored.data(), stored.size()), static_cast<ssize_t>(stored.size()));
  close(ends[1]);
  const int kept = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  const auto source = open_bytes("-");
  EXPECT_EQ(source->name(), "standard input");
  EXPECT_EQ(source->size(), std::nullopt);
  EXPECT_EQ(drain(*source), "from a pipe");
  dup2(kept, STDIN_FILENO);
  close(kept);
}

}  // namespace
}  // namespace tain::bytes_test
