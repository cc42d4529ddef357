#include "targets/user_target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "errors.hpp"
#include "maps/box.hpp"
#include "points.hpp"
#include "support/folder.hpp"
#include "support/potential_laws.hpp"
#include "tain/targets/check_gradient.hpp"
#include "tain/targets/target.hpp"
#include "targets/mirrored.hpp"

namespace tain::user_target_test {
namespace {

using testing_support::evaluate;
using testing_support::fails;
using testing_support::keeps_potential_laws;
using testing_support::normal_points;

const std::filesystem::path banana = TAIN_EXAMPLE_TARGET;
std::filesystem::path library(const std::string& name) {
  return std::filesystem::path(TAIN_TEST_LIBRARIES) / (name + ".so");
}
LibraryTarget open(const std::filesystem::path& path, const std::string& arguments = "",
                   std::size_t dim_hint = 0) {
  return LibraryTarget::open(path, arguments, dim_hint);
}

TEST(LibraryTarget, RunsTheExample) {
  const LibraryTarget target = open(banana, "3.5", 2);
  EXPECT_EQ(target.name(), "banana");
  EXPECT_EQ(target.dim(), 2u);
  const auto x = normal_points(2, 16, 1, 0, 1);
  EXPECT_TRUE(keeps_potential_laws(target, x.view()));
  EXPECT_TRUE(check_gradient(BoxMap({-2, -1}, {2, 3}), target, 1).passed);
  const auto result = evaluate(target, x.view());
  const double x1 = x.view().at(0, 3), off = x.view().at(1, 3) - x1 * x1;
  EXPECT_NEAR(result.value[3], 0.5 * (x1 - 1) * (x1 - 1) + 0.5 * 3.5 * off * off, 1e-13);
}

TEST(LibraryTarget, SaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(fails([] { open("/nonexistent/target.so"); }, Fault::no_input,
                    "/nonexistent/target.so: cannot be loaded: "));
  const test::Folder folder("user-target");
  const auto text = folder.path() / "not_a_library.so";
  std::ofstream(text) << "hello";
  EXPECT_TRUE(fails([&] { open(text); }, Fault::no_input, "cannot be loaded"));
  // A name without a slash is a file here, never a system library.
  EXPECT_TRUE(fails([] { open("libm.so.6"); }, Fault::no_input, "libm.so.6: cannot be loaded"));
  EXPECT_TRUE(
      fails([] { open(library("no_entry")); }, Fault::data, "no function tain_target_open"));
  EXPECT_TRUE(fails([] { open(library("both_signs")); }, Fault::data,
                    "both tain_target_open and tain_log_density_open"));
  EXPECT_TRUE(fails([] { open(library("other_version")); }, Fault::data,
                    "interface version 2, this program 1"));
  EXPECT_TRUE(fails([] { open(library("dimension_zero")); }, Fault::data, "dimension 0"));
  EXPECT_TRUE(fails([] { open(library("no_function")); }, Fault::data, "nothing to evaluate"));
}

TEST(LibraryTarget, PassesOnWhatTheTargetSays) {
  EXPECT_TRUE(fails([] { open(banana, "-1"); }, Fault::data,
                    "target refused to open: the argument must be a positive number, not '-1'"));
  EXPECT_TRUE(fails([] { open(banana, "", 3); }, Fault::data, "the set has dimension 3"));
  EXPECT_TRUE(fails([] { open(library("plain"), "s"); }, Fault::data,
                    "target refused to open with status 3"));
  EXPECT_TRUE(fails([] { open(library("plain"), "m"); }, Fault::data, "mmmm; check"));
}

TEST(LibraryTarget, RejectsPointsLaneByLane) {
  for (const char* name : {"plain", "rejecting_block"}) {
    const LibraryTarget target = open(library(name));
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

TEST(LibraryTarget, MayGiveLogDensities) {
  EXPECT_FALSE(open(library("plain")).gives_log_density());
  EXPECT_TRUE(open(library("log_density")).gives_log_density());
  const auto potential = tain::library(library("plain")).potential(1);
  const auto negated = tain::library(library("log_density")).potential(1);
  const auto x = normal_points(1, 16, 1, 0.5, 1);  // some are rejected
  const auto expected = evaluate(potential, x.view()), found = evaluate(negated, x.view());
  EXPECT_EQ(found.value, expected.value);
  EXPECT_TRUE(std::ranges::equal(found.grad.view().flat(), expected.grad.view().flat()));
  EXPECT_TRUE(std::ranges::count(found.value, std::numeric_limits<double>::infinity()) > 0);
}

// V = scale x1^2 / 2, scale behind the context; rejects x1 > 1, fails at x1 < -100, forgets to
// write at x1 = 0.75.
int half_square(void* context, const double* x, double* value, double* gradient) {
  if (x[0] < -100) {
    return 7;
  }
  if (x[0] > 1) {
    return TAIN_TARGET_REJECT;
  }
  if (x[0] != 0.75) {
    const double scale = *static_cast<const double*>(context);
    *value = 0.5 * scale * x[0] * x[0];
    gradient[0] = scale * x[0];
  }
  return TAIN_TARGET_OK;
}
int half_squares(void* context, std::size_t lanes, const double* x, double* value,
                 double* gradient) {
  int status = TAIN_TARGET_OK;
  for (std::size_t l = 0; l < lanes && status == TAIN_TARGET_OK; ++l) {
    status = half_square(context, x + l, value + l, gradient + l);
  }
  return status;
}

tain_target description(double& scale) {
  tain_target target{};
  target.abi_version = TAIN_TARGET_ABI;
  target.dim = 1;
  target.context = &scale;
  return target;
}

TEST(LibraryTarget, TakesFunctionsByTheRulesOfLibraries) {
  double scale = 3;
  for (const bool whole_blocks : {false, true}) {
    tain_target functions = description(scale);
    functions.name = "half";
    functions.value_and_gradient = whole_blocks ? nullptr : half_square;
    functions.block = whole_blocks ? half_squares : nullptr;
    const LibraryTarget target = LibraryTarget::of_functions(functions, nullptr);
    EXPECT_EQ(target.name(), "half");
    EXPECT_EQ(target.dim(), 1u);
    BlockStorage x(1, 8);
    for (std::size_t l = 0; l < 8; ++l) {
      x.view().at(0, l) = -0.5 + 0.25 * static_cast<double>(l);
    }
    EXPECT_TRUE(std::isnan(evaluate(target, x.view()).value[5]));  // 0.75: not written
    x.view().at(0, 5) = 0.8;
    x.view().at(0, 7) = 1.25;
    const auto result = evaluate(target, x.view());
    for (std::size_t l = 0; l < 8; ++l) {
      const double at = x.view().at(0, l);
      EXPECT_EQ(result.value[l], at <= 1 ? 1.5 * at * at : std::numeric_limits<double>::infinity());
      EXPECT_EQ(result.grad.view().at(0, l), at <= 1 ? 3 * at : 0.0);
    }
    x.view().at(0, 2) = -1000;
    EXPECT_TRUE(fails([&] { evaluate(target, x.view()); }, Fault::data,
                      "target half: evaluation of the target returned 7"));
  }
}

TEST(LibraryTarget, RefusesFunctionsThatAreNoTarget) {
  double scale = 1;
  tain_target functions = description(scale);
  const auto make = [&] { LibraryTarget::of_functions(functions, nullptr); };
  EXPECT_TRUE(fails(make, Fault::data, "target functions: target has nothing to evaluate"));
  functions.value_and_gradient = half_square;
  functions.dim = 0;
  EXPECT_TRUE(fails(make, Fault::data, "dimension 0"));
  functions.dim = 1;
  functions.abi_version = 0;
  EXPECT_TRUE(fails(make, Fault::data, "interface version 0"));
}

TEST(LibraryTarget, DestroysTheContextBeforeWhatItWasKeptFor) {
  static std::string order;  // the C interface has no other way to tell
  order.clear();
  double scale = 1;
  tain_target functions = description(scale);
  functions.value_and_gradient = half_square;
  functions.destroy = [](void* context) {
    order += *static_cast<double*>(context) == 1 ? "context " : "something else ";
  };
  {
    std::shared_ptr<const void> keep(&scale, [](const void*) { order += "kept"; });
    const AnyPotential target = LibraryTarget::of_functions(functions, std::move(keep));
    const AnyPotential copy = target;
    EXPECT_EQ(order, "");
  }
  EXPECT_EQ(order, "context kept");
}

TEST(LibraryTarget, LivesAsLongAsItsLastCopy) {
  std::optional<LibraryTarget> first = open(library("plain"));
  const AnyPotential W = mirrored(BoxMap::identity(1), *first);
  first.reset();
  BlockStorage x(1, 8);
  EXPECT_EQ(evaluate(W, x.view()).value[0], 0);
}

}  // namespace
}  // namespace tain::user_target_test
