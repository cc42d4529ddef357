// Counts as bytes between ranks: what is written is what is read.
#include "lda/engine/exchange/count_codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace tain::count_codec_test {
namespace {

using Counts = std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>>;

void write(const Counts& counts, ByteBuffer& out) {
  CountWriter writer(out);
  for (const auto& [word, topics] : counts) {
    writer.word(word, topics.size());
    for (const auto& [topic, by] : topics) {
      writer.change(topic, by);
    }
  }
}

Counts read(std::span<const std::byte> bytes) {
  Counts counts;
  std::uint32_t word = 0;
  read_counts(
      bytes,
      [&](std::uint32_t next) {
        word = next;
        counts[word];
      },
      [&](std::uint32_t topic, std::int64_t by) { counts[word][topic] = by; });
  return counts;
}

RC_GTEST_PROP(CountCodec, WhatIsWrittenIsWhatIsRead, ()) {
  Counts counts;
  for (const auto word :
       *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>())) {
    for (const auto& [topic, by] : *rc::gen::container<std::map<std::uint16_t, std::int32_t>>(
             rc::gen::arbitrary<std::uint16_t>(),
             rc::gen::suchThat<std::int32_t>([](std::int32_t value) { return value != 0; }))) {
      counts[word][topic] = by;
    }
    counts[word];
  }
  ByteBuffer out;
  write({{5, {{2, 1}}}}, out);  // what was there before
  out.clear();
  write(counts, out);
  RC_ASSERT(read(out.bytes()) == counts);
}

TEST(CountCodec, SmallChangesAreOneByteEach) {
  ByteBuffer out;
  write({{3, {{0, -1}, {31, 1}}}, {100, {{4, 1}}}}, out);
  EXPECT_EQ(out.size(), 2U + 2U + 2U + 1U);
  out.clear();
  write({{3, {{32, 1}}}}, out);
  EXPECT_EQ(out.size(), 2U + 2U);
  out.clear();
  write({{3, {{1, 100}}}}, out);
  EXPECT_EQ(out.size(), 2U + 1U + 1U);
}

TEST(CountCodec, LargeNumbersKeepTheirSign) {
  const Counts counts{{0xFFFFFFFF, {{65'519, -0xFFFFFFFFLL}, {65'520, 0xFFFFFFFFLL}}}};
  ByteBuffer out;
  write(counts, out);
  EXPECT_EQ(read(out.bytes()), counts);
}

}  // namespace
}  // namespace tain::count_codec_test
