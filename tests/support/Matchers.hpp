// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <initializer_list>
#include <string>

namespace delassus::test {

/// Expects `action` to throw an Error whose message contains every one of `parts`.
template <class Action>
void expectError(Action&& action, std::initializer_list<std::string> parts) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
    return;
  }
  ADD_FAILURE() << "no delassus::Error was thrown";
}

inline void expectNear(const Vector& actual, const Vector& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual(i), expected(i), tolerance) << "component " << i;
}

inline void expectNear(const Matrix& actual, const Matrix& expected, double tolerance) {
  ASSERT_EQ(actual.size1(), expected.size1());
  ASSERT_EQ(actual.size2(), expected.size2());
  for (std::size_t j = 0; j < actual.size2(); ++j) {
    for (std::size_t i = 0; i < actual.size1(); ++i) {
      EXPECT_NEAR(actual(i, j), expected(i, j), tolerance) << "entry (" << i << ", " << j << ")";
    }
  }
}

}  // namespace delassus::test
