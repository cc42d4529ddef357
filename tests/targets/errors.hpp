// Expect an Error of a given fault whose message says something.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tain/core/error.hpp"

namespace tain::testing_support {

template <class F>
::testing::AssertionResult fails(F action, Fault fault, const std::string& part) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.fault() != fault) {
      return ::testing::AssertionFailure()
             << "fault " << static_cast<int>(error.fault()) << ": " << message;
    }
    if (message.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << "message lacks '" << part << "': " << message;
    }
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "nothing was thrown";
}

}  // namespace tain::testing_support
