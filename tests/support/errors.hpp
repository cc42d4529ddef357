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

/// `act` must fail so, with these words in its message.
inline void expect_error(const std::function<void()>& act, Fault fault, const std::string& part) {
  const std::string message = message_of(fault, act);
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nshould have: " << part;
}

}  // namespace tain::test
