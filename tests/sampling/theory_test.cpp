// What the theory promises, and what there is to choose from, as users ask for them.
#include "kernels/theory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.hpp"
#include "tain/tain.hpp"

namespace tain::theory_call_test {
namespace {

using test::message_of;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

TEST(ErrorBounds, AreThoseOfTheConstants) {
  const ErrorBounds bounds =
      error_bounds(real(2), gaussian({.sd = 1}), {.start = {1, 1}}, {.epsilon = {0.5, 0.1}});
  EXPECT_EQ(bounds.problem, "gaussian(2) on real(2)");
  EXPECT_EQ(bounds.lipschitz.value, 1);
  EXPECT_EQ(bounds.dim, 2);
  EXPECT_EQ(bounds.start_distance.value, 4);
  ASSERT_EQ(bounds.lines.size(), 2U);
  const ErrorBound expected =
      bound_for_accuracy({.lipschitz = 1, .dim = 2, .start_distance = 4}, 0.1);
  EXPECT_EQ(bounds.lines[1].relative_entropy, 0.1);
  EXPECT_EQ(bounds.lines[1].step_size, expected.step_size);
  EXPECT_EQ(bounds.lines[1].steps, expected.steps);
  EXPECT_EQ(bounds.lines[1].total_variation, expected.total_variation);
  EXPECT_THAT(bounds.text(), HasSubstr("the target's bound on hess W"));
  const ErrorBounds given =
      error_bounds(real(2), gaussian(), {.start = {1, 1}}, {.lipschitz = 3, .start_distance = 2});
  EXPECT_EQ(given.lipschitz.value, 3);
  EXPECT_EQ(given.lipschitz.source, "given");
  EXPECT_EQ(given.start_distance.value, 2);
}

TEST(ErrorBounds, WrongUseIsTold) {
  EXPECT_EQ(message_of(Fault::config,
                       [] { error_bounds(real(2), gaussian(), {}, {.epsilon = {0.1, 0}}); }),
            "epsilon: 0 is not positive; give accuracies such as 0.1,0.01");
  EXPECT_EQ(
      message_of(Fault::config, [] { error_bounds(real(2), gaussian(), {}, {.lipschitz = -1}); }),
      "lipschitz: -1 is not positive; give a number above 0");
  EXPECT_THAT(
      message_of(Fault::config,
                 [] { error_bounds({}, dirichlet({.counts = {10000, 10, 0}, .alpha = 0.1})); }),
      HasSubstr("lipschitz: target dirichlet(3) does not know"));
}

TEST(Lists, NameWhatThereIs) {
  EXPECT_THAT(list_sets(), Contains(Field(&NamedKind::name, "simplex")));
  EXPECT_THAT(list_targets(), Contains(Field(&NamedKind::name, "gaussian")));
  EXPECT_THAT(list_kernels(), Contains(Field(&NamedKind::name, "hmc")));
  for (const auto& list : {list_sets(), list_targets(), list_kernels()}) {
    EXPECT_THAT(list, testing::Each(Field(&NamedKind::summary, testing::Not(""))));
  }
}

}  // namespace
}  // namespace tain::theory_call_test
