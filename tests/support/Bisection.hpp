// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace delassus::test {

/// The zero of f between a and b, where f has different signs, to rounding.
inline double bisect(double a, double b, const std::function<double(double)>& f) {
  const double sign = f(a) > 0. ? 1. : -1.;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (a + b);
    (sign * f(middle) > 0. ? a : b) = middle;
  }
  return 0.5 * (a + b);
}

}  // namespace delassus::test
