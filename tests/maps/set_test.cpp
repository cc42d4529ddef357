#include "tain/maps/set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dimension.hpp"
#include "maps/set_kind.hpp"
#include "support/errors.hpp"

namespace tain::set_test {
namespace {

using test::expect_error;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Dimension, MustAgree) {
  Dimension dimension;
  EXPECT_FALSE(dimension.agreed());
  dimension.claim(Numbers(2.0), Field{"radius"});  // one for all says nothing
  EXPECT_FALSE(dimension.agreed());
  dimension.claim(3, Field{"lower"});
  dimension.claim(3, Field{"upper"});
  EXPECT_EQ(dimension.agreed(), 3U);
  expect_error([&] { dimension.claim(2, Field{"mean"}); }, Fault::config,
               "mean: implies dimension 2, but lower implies 3");
  expect_error([&] { dimension.claim(0, Field{"mean"}); }, Fault::config, "dimension 0");
}

TEST(Set, TellsItsDimensionAndText) {
  EXPECT_EQ(simplex(4).dim(), 4U);
  EXPECT_FALSE(simplex().dim());
  EXPECT_EQ(box(-1, {1, 2}).dim(), 2U);
  EXPECT_FALSE(box(-1, 1).dim());
  EXPECT_EQ(ball({}, 2, {0, 0, 0}).dim(), 3U);
  EXPECT_EQ(product({{"w", simplex(4)}, {"sigma", positive()}}).text(),
            "product(w = simplex(4), sigma = positive)");
  EXPECT_EQ(affine(ball(2), {2, 0, 0, 1}).text(), "affine(ball(2))");
  EXPECT_EQ(real(2).text(), "real(2)");
}

TEST(Set, ContainsItsPointsInAnyCoordinates) {
  EXPECT_TRUE(simplex(3).contains(std::vector{0.2, 0.3, 0.5}));
  EXPECT_TRUE(simplex(3, "stretched").contains(std::vector{0.2, 0.3, 0.5}));
  EXPECT_FALSE(simplex(3, "last").contains(std::vector{0.2, 0.3, 0.4}));
  EXPECT_TRUE(positive().contains(std::vector{1e-300, 1.0}));
  EXPECT_FALSE(box(0, 1).contains(std::vector{0.5, 1.5}));
  expect_error([] { simplex(3).contains(std::vector{0.5, 0.5}); }, Fault::config,
               "a point of 2 numbers");
}

TEST(Set, NamesItsParts) {
  const Set named = product({{"w", simplex(3)}, {"sigma", positive()}, {"b", real(1)}});
  EXPECT_EQ(named.dim(), 5U);
  EXPECT_THAT(coordinate_names(named.parameters(), 5),
              ElementsAre("w[1]", "w[2]", "w[3]", "sigma", "b[1]"));
  EXPECT_TRUE(product({simplex(3), real(1)}).parameters().empty());
  EXPECT_EQ(affine(product({{"a", real(1)}, {"b", real(1)}}), {1, 1, 0, 1}).parameters().size(),
            2U);
  EXPECT_THAT(coordinate_names({}, 2), ElementsAre("x[1]", "x[2]"));
}

TEST(Set, RefusesWhatIsNone) {
  const auto refused = [](const std::function<void()>& make, const std::string& part) {
    expect_error(make, Fault::config, part);
  };
  refused([] { simplex(1); }, "at least 2 categories");
  refused([] { simplex(3, "4"); }, "category 4 does not exist among 3");
  refused([] { simplex(3, "odd"); }, "not a form of coordinates");
  refused([] { box({0, 0}, {1, 1, 1}); }, "upper: implies dimension 3, but lower implies 2");
  refused([] { box({}, {}); }, "a box needs bounds");
  refused([] { box({1}, {0}); }, "lower: no number");
  refused([] { ball(2, -1); }, "radius");
  refused([] { product(std::vector<Set>{}); }, "no factor");
  refused([] { product({simplex(3), positive()}); }, "how many coordinates its positive has");
  refused([] { product({{"w", simplex(3)}, {"w", positive()}}); }, "name = w: is given twice");
  refused([] { product({{"w", simplex(3)}, {"", positive(1)}}); }, "some parts have names");
  for (const char* name : {"1st", "a b", "x__", "a.b"}) {
    refused([&] { product({{name, simplex(3)}}); }, "is no name of a parameter");
  }
  for (const char* name : {"chain", "draw", "w_dim_0"}) {
    refused([&] { product({{name, simplex(3)}}); }, "call an axis");
  }
  refused([] { affine(ball(3), {1, 0, 0, 1}); }, "matrix: implies dimension 2");
  refused([] { affine(ball(2), {1, 2, 3}); }, "not square");
}

/// A map that is nobody's but the test's: x = y in one coordinate, restricted to its set by name.
TEST(Set, CanHaveAMapOfOnesOwn) {
  const Set own = mapped(BoxMap({0.0}, {2.0}));
  EXPECT_EQ(own.dim(), 1U);
  EXPECT_TRUE(own.contains(std::vector{1.0}));
  EXPECT_EQ(own.map(1).name(), BoxMap({0.0}, {2.0}).name());
}

TEST(SetTable, EveryKindOfOneWordMakesItself) {
  for (const SetEntry& entry : set_table()) {
    EXPECT_EQ(find_set(entry.name), &entry);
    if (entry.make) {
      EXPECT_EQ(entry.make()->name(), entry.name);
    }
  }
  for (const char* other : {"nothing", ""}) {
    EXPECT_EQ(find_set(other), nullptr) << other;
  }
}

TEST(SetTable, NamesOfBeforeAreKnownAndFilesKeepThem) {
  EXPECT_EQ(find_set("orthant"), find_set("positive"));
  EXPECT_EQ(find_set("identity"), find_set("real"));
  EXPECT_EQ(find_set("whole"), find_set("real"));
  EXPECT_EQ(name_in_files(positive().kind()), "orthant");
  EXPECT_EQ(name_in_files(real().kind()), "identity");
  EXPECT_EQ(name_in_files(ball().kind()), "ball");
  const AnyMap map = product({positive(2), affine(real(1), {2}), positive(1)}).map(4);
  EXPECT_EQ(map.name(), "product(orthant(2), affine(identity(1)), orthant(1))");
  EXPECT_EQ(map.text(), "product(positive(2), affine(real(1)), positive(1))");
}

TEST(Set, KnowsWhetherItIsBounded) {
  for (const Set& set : {simplex(3), box(0, {1, 2}), ball(), affine(ball(2), {2, 1, 0, 1}),
                         product({simplex(3), box(0, 1, 2)}), mapped(BoxMap({0.0}, {2.0}))}) {
    EXPECT_TRUE(set.kind().bounded()) << set.text();
  }
  for (const Set& set : {positive(), real(), box(0, {}, 1), box({}, 0, 1), box(0, {1, INFINITY}),
                         affine(real(1), {2}), product({simplex(3), positive(1)})}) {
    EXPECT_FALSE(set.kind().bounded()) << set.text();
  }
}

TEST(Set, GivesPointsOfItself) {
  for (const Set& set :
       {simplex(4), box({0, -INFINITY}, {1, 3}), positive(3), real(2), ball(3, 2),
        product({{"w", simplex(3)}, {"s", positive()}}), affine(ball(2), {2, 1, 0, 1}, {1, 1})}) {
    EXPECT_TRUE(set.contains(set.centre())) << set.text();
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      EXPECT_TRUE(set.contains(set.point(seed))) << set.text();
      EXPECT_EQ(set.point(seed), set.point(seed));
      EXPECT_NE(set.point(seed), set.point(seed + 1));
    }
  }
  EXPECT_EQ(positive().point(1, 3).size(), 3U);
  EXPECT_THROW(static_cast<void>(positive().point(1)), Error);
}

// All walks over a set are recursive, and a set that is made of another looks at what is new only.
TEST(Set, DepthIsBounded) {
  Set deep = simplex(2);
  for (std::size_t level = 1; level < 64; ++level) {
    deep = product({deep, box(0, 1, 1)});
  }
  EXPECT_EQ(deep.dim(), 65U);
  EXPECT_TRUE(deep.contains(deep.centre()));
  EXPECT_EQ(deep.point(1).size(), 65U);
  refused([&] { product({deep, real(1)}); }, "more than 64 sets within one another");
  refused([&] { affine(deep, std::vector<double>(65 * 65, 0.0)); }, "more than 64 sets");
  Set images = real(1);
  for (std::size_t level = 1; level < 64; ++level) {
    images = affine(images, {2});
  }
  EXPECT_TRUE(images.contains(std::vector{1.0}));
  refused([&] { affine(images, {2}); }, "more than 64 sets");
}

TEST(Set, ManyPartsTakeTheirTime) {
  std::vector<Part> parts;
  for (int i = 0; i < 100'000; ++i) {
    parts.push_back({"p" + std::to_string(i), positive()});
  }
  EXPECT_EQ(product(parts).dim(), 100'000U);
  parts.push_back({"p7", real(1)});
  refused([&] { product(parts); }, "name = p7: is given twice");
}

}  // namespace
}  // namespace tain::set_test
