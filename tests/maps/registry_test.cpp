#include "tain/maps/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tain/maps/affine.hpp"
#include "tain/maps/ball.hpp"
#include "tain/maps/box.hpp"
#include "tain/maps/product.hpp"
#include "tain/maps/simplex.hpp"

namespace tain::registry_test {
namespace {

// The part of a map's name before the parenthesis.
std::string kind(const AnyMap& map) { return map.name().substr(0, map.name().find('(')); }

TEST(MapTable, ListsEveryMapUnderTheNameItGivesItself) {
  std::set<std::string> listed;
  for (const MapEntry& entry : map_table()) {
    EXPECT_TRUE(listed.insert(std::string(entry.name)).second) << entry.name << " twice";
    EXPECT_FALSE(entry.summary.empty() || entry.options.empty()) << entry.name;
  }
  const AnyMap box = Box({0}, {1});
  const std::set<std::string> maps{kind(Simplex::symmetric(2)),
                                   kind(box),
                                   kind(Ball({0}, 1)),
                                   kind(Box::orthant(1)),
                                   kind(Box::identity(1)),
                                   kind(Product({box})),
                                   kind(AffineImage(box, {1}, {0}))};
  EXPECT_EQ(listed, maps);
}

}  // namespace
}  // namespace tain::registry_test
