#include "maps/product.hpp"

#include <gmock/gmock.h>

#include "maps/box.hpp"
#include "support/map_laws.hpp"
#include "tain/core/error.hpp"

namespace tain::product_test {
namespace {

using map_laws::column;

TEST(ProductMap, FactorsSitSideBySide) {
  const AnyMap simplex = SimplexMap::symmetric(3), box = BoxMap({0, -1}, {1, 1});
  const ProductMap both({simplex, box});
  ASSERT_EQ(both.primal_dim(), 5u);
  ASSERT_EQ(both.dual_dim(), 4u);
  const BlockStorage y = map_laws::points(4, 2, 1);
  const BlockStorage x = map_laws::to_primal(both, y.view());
  const BlockStorage first = map_laws::to_primal(simplex, y.view().slice(0, 2));
  const BlockStorage second = map_laws::to_primal(box, y.view().slice(2, 2));
  EXPECT_EQ(column(x.view().slice(0, 3), 4), column(first.view(), 4));
  EXPECT_EQ(column(x.view().slice(3, 2), 4), column(second.view(), 4));
  const double sum = map_laws::log_det(simplex, y.view().slice(0, 2)).value[4] +
                     map_laws::log_det(box, y.view().slice(2, 2)).value[4];
  EXPECT_DOUBLE_EQ(map_laws::log_det(both, y.view()).value[4], sum);
}

TEST(ProductMap, ContainsWhatEveryFactorContains) {
  const ProductMap both({SimplexMap::symmetric(2), BoxMap({0}, {1})});
  EXPECT_TRUE(both.contains(std::vector<double>{0.5, 0.5, 0.5}));
  EXPECT_FALSE(both.contains(std::vector<double>{0.5, 0.6, 0.5}));
  EXPECT_FALSE(both.contains(std::vector<double>{0.5, 0.5, 1.5}));
  EXPECT_FALSE(both.contains(std::vector<double>{0.5, 0.5}));
}

TEST(ProductMap, NamesItsFactors) {
  EXPECT_EQ(ProductMap({SimplexMap::symmetric(3), BoxMap({0}, {1})}).name(),
            "product(simplex(3, symmetric), box(1))");
}

TEST(ProductMap, RefusesNoFactors) { EXPECT_THROW(ProductMap({}), Error); }

}  // namespace
}  // namespace tain::product_test
