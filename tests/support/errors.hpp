// What an action that must fail says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tain/core/error.hpp"

namespace tain::test {

/// The message of the Error that `act` throws, which must be of this fault.
inline std::string message_of(Fault fault, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), fault) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace tain::test
