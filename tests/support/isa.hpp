// Tests that run on every instruction set of the machine.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/simd.hpp"

namespace tain::testing {

/// Pins its parameter for the test and goes back to the widest afterwards.
class OnEveryIsa : public ::testing::TestWithParam<Isa> {
 protected:
  void SetUp() override { pin_isa(GetParam()); }
  void TearDown() override { pin_isa(supported_isas().back()); }
};

inline std::string isa_label(const ::testing::TestParamInfo<Isa>& isa) {
  return std::string(isa_name(isa.param));
}

}  // namespace tain::testing
