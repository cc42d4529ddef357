#include "draws/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "core/file.hpp"
#include "draws/draws_fixture.hpp"

namespace tain::table_test {
namespace {

using testing::HasSubstr;
using namespace testing_draws;

constexpr DrawShape shape{2, 3, 4, 5};

TEST(DrawTable, KeepsEveryDrawInItsPlace) {
  const DrawTable table = example_table(shape);
  constexpr std::size_t per_draw = 4 + 5 + 2;
  for (std::size_t pair = 0; pair < 6; ++pair) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(table.primal()[pair * 4 + i], example_number(pair * per_draw + i));
    }
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(table.dual()[pair * 5 + i], example_number(pair * per_draw + 4 + i));
    }
    EXPECT_EQ(table.log_density()[pair], example_number(pair * per_draw + 9));
    EXPECT_EQ(table.acceptance()[pair], example_number(pair * per_draw + 10));
    EXPECT_EQ(table.diverging()[pair], (pair + 1) * per_draw % 3 == 0 ? 1 : 0);
  }
}

// In every build, also in one that does not look for mistakes of programmers.
TEST(DrawTable, RefusesDrawsThatHaveNoPlace) {
  DrawTable table = DrawTable::in_memory(shape);
  const std::vector<double> primal(4), dual(5), longer(6);
  const auto put = [&](std::uint32_t chain, std::uint64_t draw, std::span<const double> x,
                       std::span<const double> y) {
    table.put({.chain = chain, .draw = draw, .primal = x, .dual = y});
  };
  put(1, 2, primal, dual);
  EXPECT_THAT(error_of([&] { put(2, 0, primal, dual); }).what(), HasSubstr("has no place among"));
  EXPECT_THAT(error_of([&] { put(0, 3, primal, dual); }).what(), HasSubstr("has no place among"));
  EXPECT_THAT(error_of([&] { put(0, 0, longer, dual); }).what(), HasSubstr("has no place among"));
  EXPECT_THAT(error_of([&] { put(0, 0, primal, longer); }).what(), HasSubstr("has no place among"));
  const auto shared = std::make_shared<DrawTable>(std::move(table));
  EXPECT_EQ(draws_of(shared, 2).values.size(), 16U);
  EXPECT_THAT(error_of([&] { draws_of(shared, 4); }).what(), HasSubstr("the table has 3"));
}

TEST(Draws, OfAnotherShapeThanTheyTellAreRefused) {
  const Folder folder;
  const std::vector<double> numbers(24), few(5);
  const Draws sound{.chains = 2, .draws = 3, .names = {"a", "b", "c", "d"}, .values = numbers};
  const auto refused = [&](const Draws& draws) {
    const Error error = error_of([&] { write_draws(folder / "d.npy", draws, {}); });
    EXPECT_EQ(error.fault(), Fault::config);
    EXPECT_THAT(error.what(), HasSubstr("give every array the shape"));
  };
  write_draws(folder / "sound.npy", sound, {});
  Draws wrong = sound;
  wrong.chains = 3;
  refused(wrong);
  wrong.chains = std::size_t{1} << 63;
  refused(wrong);
  wrong = sound;
  wrong.names.pop_back();
  refused(wrong);
  for (auto member : {&Draws::acceptance, &Draws::diverging, &Draws::log_density, &Draws::dual}) {
    wrong = sound;
    wrong.*member = few;
    refused(wrong);
  }
}

TEST(DrawTable, ReopensWhatItWrote) {
  const Folder folder;
  const auto path = folder / "table";
  {
    DrawTable table = DrawTable::create(path, shape);
    fill(table, example_number);
    table.sync();
  }
  EXPECT_EQ(std::filesystem::file_size(path), shape.bytes());
  const DrawTable again = DrawTable::reopen(path, shape), fresh = example_table(shape);
  EXPECT_TRUE(std::ranges::equal(again.primal(), fresh.primal()));
  EXPECT_TRUE(std::ranges::equal(again.diverging(), fresh.diverging()));
}

TEST(DrawTable, ChecksumsOfPartsAddUpAndSeeEveryBitInItsPlace) {
  const DrawTable table = example_table(shape);
  const std::uint64_t whole = table.checksum(0, 3);
  EXPECT_EQ(whole, table.checksum(0, 1) + table.checksum(1, 3));
  EXPECT_EQ(table.checksum(1, 1), 0U);
  const Folder folder;
  const auto path = folder / "table";
  {
    DrawTable written = DrawTable::create(path, shape);
    fill(written, example_number);
  }
  const std::string bytes = read_file(path);
  std::set<std::uint64_t> seen{whole};
  const auto add = [&](const std::string& other) {
    std::ofstream(path, std::ios::binary) << other;
    EXPECT_TRUE(seen.insert(DrawTable::reopen(path, shape).checksum(0, 3)).second);
  };
  constexpr std::size_t header = 64;
  for (std::size_t i = header; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ (1 << i % 8));
    add(broken);
  }
  std::string swapped = bytes;
  std::swap_ranges(swapped.begin() + header, swapped.begin() + header + 8,
                   swapped.begin() + header + 8);
  add(swapped);
}

TEST(DrawTable, RefusesOtherFiles) {
  const Folder folder;
  const auto path = folder / "table";
  {
    DrawTable::create(path, shape);
  }
  for (const DrawShape& other :
       {DrawShape{3, 3, 4, 5}, DrawShape{2, 4, 4, 5}, DrawShape{2, 3, 5, 4}}) {
    const Error error = error_of([&] { DrawTable::reopen(path, other); });
    EXPECT_EQ(error.fault(), Fault::data);
    EXPECT_THAT(error.what(), HasSubstr("holds 2 chains of 3 draws"));
  }
  std::filesystem::resize_file(path, shape.bytes() - 8);
  EXPECT_THAT(error_of([&] { DrawTable::reopen(path, shape); }).what(), HasSubstr("promises"));
  std::filesystem::resize_file(path, 20);
  EXPECT_EQ(error_of([&] { DrawTable::reopen(path, shape); }).fault(), Fault::data);
  std::ofstream(path) << std::string(shape.bytes(), 'x');
  EXPECT_THAT(error_of([&] { DrawTable::reopen(path, shape); }).what(),
              HasSubstr("not a table of draws"));
}

TEST(DrawShape, BytesDoNotOverflow) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 60;
  for (const DrawShape& s : {DrawShape{4, huge, 1, 1}, DrawShape{4, 100, huge, huge},
                             DrawShape{1, 1, SIZE_MAX, 1}, DrawShape{1, 1, SIZE_MAX - 2, 0}}) {
    EXPECT_EQ(error_of([&] { static_cast<void>(s.bytes()); }).fault(), Fault::config);
  }
}

TEST(WriteDraws, RefusesWhatItCannotWrite) {
  const Folder folder;
  const DrawTable table = example_table(shape);
  EXPECT_EQ(error_of([&] { write_draws(folder / "draws.txt", table, 3, {}); }).fault(),
            Fault::usage);
  EXPECT_EQ(error_of([&] { write_draws(folder / "draws.nc", table, 0, {}); }).fault(),
            Fault::config);
  EXPECT_EQ(error_of([&] { write_draws(folder / "draws.nc", table, 3, {}, {"a", "b"}); }).fault(),
            Fault::config);
  const Error error =
      error_of([&] { write_draws(folder / "missing/draws.nc", table, 3, example_info()); });
  EXPECT_EQ(error.fault(), Fault::cannot_create);
}

TEST(ReadDraws, JoinsChainsOfOneRun) {
  const Folder folder;
  const DrawTable table = example_table(shape), other = example_table({1, 2, 4, 5});
  write_draws(folder / "chain_%d.csv", table, 3, {});
  write_draws(folder / "all.npy", table, 3, {});
  write_draws(folder / "short.csv", other, 2, {});
  const std::filesystem::path both[] = {folder / "chain_1.csv", folder / "chain_2.csv"};
  const std::filesystem::path all[] = {folder / "all.npy"};
  const DrawsFile joined = read_draws(both);
  EXPECT_EQ(joined.chains, 2u);
  EXPECT_EQ(joined.draws, 3u);
  EXPECT_TRUE(same(joined.values, read_draws(all).values));
  EXPECT_EQ(joined.acceptance.size(), 6u);
  const std::filesystem::path unequal[] = {folder / "chain_1.csv", folder / "short.csv"};
  const Error error = error_of([&] { read_draws(unequal); });
  EXPECT_EQ(error.fault(), Fault::data);
  EXPECT_THAT(error.what(), HasSubstr("short.csv: has 2 draws per chain"));
  EXPECT_EQ(error_of([] { read_draws({}); }).fault(), Fault::usage);
  for (const char* missing : {"none.nc", "none.csv", "none.npy"}) {
    const std::filesystem::path path[] = {folder / missing};
    EXPECT_EQ(error_of([&] { read_draws(path); }).fault(), Fault::no_input) << missing;
  }
}

}  // namespace
}  // namespace tain::table_test
