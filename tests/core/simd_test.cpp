#include "core/simd.hpp"

#include <gtest/gtest.h>

#include "tain/core/error.hpp"

namespace tain::simd_test {
namespace {

TEST(Isa, NamesAreInverse) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    EXPECT_EQ(parse_isa(isa_name(isa)), isa);
  }
  try {
    parse_isa("sse9");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
  }
}

TEST(Isa, PinsWhatIsSupportedAndComesBack) {
  const Isa widest = supported_isas().back();
  EXPECT_EQ(current_isa(), widest);
  EXPECT_EQ(supported_isas().front(), Isa::baseline);
  for (const Isa isa : supported_isas()) {
    pin_isa(isa);
    EXPECT_EQ(current_isa(), isa);
    EXPECT_EQ(supported_isas().back(), widest);  // a pin does not change the machine
  }
  pin_isa(widest);
}

TEST(Isa, RefusesWhatTheMachineLacks) {
  if (supported_isas().size() == 3) {
    GTEST_SKIP() << "this machine has everything";
  }
  EXPECT_THROW(pin_isa(Isa::avx512), Error);
}

}  // namespace
}  // namespace tain::simd_test
