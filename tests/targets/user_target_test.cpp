#include "tain/targets/user_target.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "errors.hpp"
#include "points.hpp"
#include "support/potential_laws.hpp"
#include "tain/maps/box.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/mirrored.hpp"

namespace tain {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;

const std::filesystem::path banana = TAIN_EXAMPLE_TARGET;
std::filesystem::path library(const std::string& name) {
  return std::filesystem::path(TAIN_TEST_LIBRARIES) / (name + ".so");
}
SharedLibraryTarget open(const std::filesystem::path& path, const std::string& arguments = "",
                         std::size_t dim_hint = 0) {
  return SharedLibraryTarget::open(path, arguments, dim_hint);
}

TEST(SharedLibraryTarget, RunsTheExample) {
  const SharedLibraryTarget target = open(banana, "3.5", 2);
  EXPECT_EQ(target.name(), "banana");
  EXPECT_EQ(target.dim(), 2u);
  const auto x = normal_points(2, 16, 1, 0, 1);
  EXPECT_TRUE(keeps_potential_laws(target, x.view()));
  EXPECT_TRUE(check_gradient(Box({-2, -1}, {2, 3}), target, 1).passed);
  const auto result = evaluate(target, x.view());
  const double x1 = x.view().at(0, 3), off = x.view().at(1, 3) - x1 * x1;
  EXPECT_NEAR(result.value[3], 0.5 * (x1 - 1) * (x1 - 1) + 0.5 * 3.5 * off * off, 1e-13);
}

TEST(SharedLibraryTarget, SaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(fails([] { open("/nonexistent/target.so"); }, Fault::no_input,
                    "/nonexistent/target.so: cannot be loaded: "));
  const auto text = std::filesystem::path(::testing::TempDir()) / "not_a_library.so";
  std::ofstream(text) << "hello";
  EXPECT_TRUE(fails([&] { open(text); }, Fault::no_input, "cannot be loaded"));
  // A name without a slash is a file here, never a system library.
  EXPECT_TRUE(fails([] { open("libm.so.6"); }, Fault::no_input, "libm.so.6: cannot be loaded"));
  EXPECT_TRUE(
      fails([] { open(library("no_entry")); }, Fault::data, "no function tain_target_open"));
  EXPECT_TRUE(fails([] { open(library("other_version")); }, Fault::data,
                    "interface version 2, this program 1"));
  EXPECT_TRUE(fails([] { open(library("dimension_zero")); }, Fault::data, "dimension 0"));
  EXPECT_TRUE(fails([] { open(library("no_function")); }, Fault::data, "nothing to evaluate"));
}

TEST(SharedLibraryTarget, PassesOnWhatTheTargetSays) {
  EXPECT_TRUE(fails([] { open(banana, "-1"); }, Fault::data,
                    "target refused to open: the argument must be a positive number, not '-1'"));
  EXPECT_TRUE(fails([] { open(banana, "", 3); }, Fault::data, "the set has dimension 3"));
  EXPECT_TRUE(fails([] { open(library("plain"), "s"); }, Fault::data,
                    "target refused to open with status 3"));
  EXPECT_TRUE(fails([] { open(library("plain"), "m"); }, Fault::data, "mmmm; check"));
}

TEST(SharedLibraryTarget, RejectsPointsLaneByLane) {
  for (const char* name : {"plain", "rejecting_block"}) {
    const SharedLibraryTarget target = open(library(name));
    EXPECT_EQ(target.name(), std::string(name) + ".so");
    BlockStorage x(1, 8);
    for (std::size_t l = 0; l < 8; ++l) {
      x.view().at(0, l) = -1 + 0.5 * static_cast<double>(l);
    }
    const auto result = evaluate(target, x.view());
    for (std::size_t l = 0; l < 8; ++l) {
      const double at = x.view().at(0, l);
      const bool inside = at <= 1;
      EXPECT_EQ(result.value[l], inside ? 0.5 * at * at : std::numeric_limits<double>::infinity());
      EXPECT_EQ(result.grad.view().at(0, l), inside ? at : 0.0);
    }
    x.view().at(0, 5) = -1000;
    EXPECT_TRUE(fails([&] { evaluate(target, x.view()); }, Fault::data, "returned 7"));
  }
}

TEST(SharedLibraryTarget, LivesAsLongAsItsLastCopy) {
  std::optional<SharedLibraryTarget> first = open(library("plain"));
  const AnyPotential W = mirrored(Box::identity(1), *first);
  first.reset();
  BlockStorage x(1, 8);
  EXPECT_EQ(evaluate(W, x.view()).value[0], 0);
}

}  // namespace
}  // namespace tain
