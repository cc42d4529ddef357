// What a plan says of its values holds for whoever reads them.
#include "core/fields.hpp"

#include <gtest/gtest.h>

#include "core/sizes.hpp"
#include "support/errors.hpp"
#include "support/field_names.hpp"

namespace tain::fields_test {
namespace {

enum class Colour { red, green };

struct Plan {
  std::optional<std::uint64_t> count = {};
  std::optional<double> rate = {};
  std::optional<bool> on = {};
  std::optional<Colour> colour = {}, shade = {};
  std::optional<std::uint64_t> memory = {};

  void describe(Fields& fields) {
    static constexpr std::string_view colours[] = {"red", "green"};
    static constexpr std::string_view shades[] = {"auto", "red", "green"};
    fields.count("count", count, 1, 1000000);
    fields.positive("rate", rate);
    fields.field("on", on);
    fields.choice("colour", colours, colour);
    fields.choice_or_auto("shade", shades, shade);
    fields.bytes("memory", memory);
  }
};

/// Gives the same to every member that can take it.
class Everything final : public Fields {
 public:
  void field(std::string_view, std::optional<bool>& value) override { value = true; }
  void field(std::string_view, Numbers& value) override { value = 0.5; }
  void field(std::string_view, std::optional<std::uint64_t>& value) override { value = 7; }
  void field(std::string_view, std::optional<double>& value) override { value = 0.5; }
  void field(std::string_view, std::optional<std::string>& value) override { value = "2k"; }
  void field(std::string_view, std::vector<std::string>& value) override { value = {"2k"}; }
  void field(std::string_view, WordOrNumbers& value) override { value.word = "2k"; }
  void file(std::string_view, std::optional<std::filesystem::path>& value) override {
    value = "2k";
  }
  void choice(std::string_view, std::span<const std::string_view>, std::size_t& value) override {
    value = 1;
  }
};

TEST(Fields, ReadersFillWhatIsGiven) {
  Plan plan;
  Everything everything;
  plan.describe(everything);
  EXPECT_EQ(plan.count, 7U);
  EXPECT_EQ(plan.rate, 0.5);
  EXPECT_EQ(plan.on, true);
  EXPECT_EQ(plan.colour, Colour::green);
  EXPECT_EQ(plan.shade, Colour::red);  // after `auto`
  EXPECT_EQ(plan.memory, 2048U);
}

TEST(Fields, WhatIsLeftOutStaysOut) {
  Plan plan;
  NothingGiven nothing;
  plan.describe(nothing);
  EXPECT_FALSE(plan.count || plan.rate || plan.on || plan.colour || plan.shade || plan.memory);
  plan = {.count = 3, .rate = 1, .on = false, .colour = Colour::red, .shade = Colour::green};
  plan.describe(nothing);
  EXPECT_EQ(plan.count, 3U);
  EXPECT_EQ(plan.on, false);
  EXPECT_EQ(plan.colour, Colour::red);
  EXPECT_EQ(plan.shade, Colour::green);
}

TEST(Fields, ValuesOutOfRangeAreRefused) {
  using test::message_of;
  EXPECT_EQ(message_of(Fault::config, [] { require_in_range(Plan{.count = 0}); }),
            "count: is 0; give at least 1");
  EXPECT_EQ(message_of(Fault::config, [] { require_in_range(Plan{.count = 1000001}); }),
            "count: is more than 1,000,000; give a smaller number");
  EXPECT_EQ(message_of(Fault::config, [] { require_in_range(Plan{.rate = -0.5}); }),
            "rate: -0.5 is not positive; give a number above 0");
}

TEST(Fields, MembersAreListedOnce) {
  EXPECT_EQ(test::fields_of(Plan()).names,
            (std::vector<std::string>{"count", "rate", "on", "colour", "shade", "memory"}));
}

/// What a reader hears before each member.
class Heard final : public NothingGiven {
 public:
  using NothingGiven::field;
  Fields& about(const FieldText& text) override {
    heard += std::string(text.help) + " ";
    return *this;
  }
  void field(std::string_view name, std::optional<double>&) override {
    heard += std::string(name) + "; ";
  }
  std::string heard;
};

TEST(Fields, MembersMaySayWhatTheyAre) {
  const auto describe = [](Fields& fields) {
    std::optional<double> radius = 2, width = 3;
    fields.about({"how far it goes", "1", "R"}).field("radius", radius);
    fields.field("width", width);
    EXPECT_EQ(radius, 2);
  };
  Heard reader;
  describe(reader);
  EXPECT_EQ(reader.heard, "how far it goes radius; width; ");
  FieldNames names;  // others do not listen
  describe(names);
  EXPECT_EQ(names.names, (std::vector<std::string>{"radius", "width"}));
}

TEST(Fields, WhatOnlyCodeBringsIsNoMemberToOthers) {
  std::vector<double> rows{1, 2};
  FieldNames names;
  names.array("rows", rows);
  EXPECT_TRUE(names.names.empty());
  EXPECT_EQ(rows.size(), 2U);
}

TEST(Sizes, AreReadAndWritten) {
  EXPECT_EQ(bytes_of("1.5GiB"), 1610612736U);
  EXPECT_EQ(bytes_of("+1K"), 1024U);
  for (const std::string_view text : {"", "G", "-1G", "1X", "0", "1e30G", "nan", "1 G"}) {
    EXPECT_FALSE(bytes_of(text)) << text;
  }
  EXPECT_EQ(format_bytes(12), "12 B");
  EXPECT_EQ(format_bytes(1610612736), "1.5 GB");
  EXPECT_EQ(grouped(7), "7");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace tain::fields_test
