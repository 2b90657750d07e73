// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace delassus::test {

/// Slope of log(error) over log(step) by least squares: the observed order of convergence. Prints the table.
inline double observedOrder(const char* title, const std::vector<double>& steps, const std::vector<double>& errors) {
  std::printf("%s\n      h        error    order\n", title);
  double sx = 0., sy = 0., sxx = 0., sxy = 0.;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]);
    const double y = std::log(errors[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    std::printf("  %.3e  %.3e", steps[i], errors[i]);
    if (i > 0) std::printf("  %.2f", std::log(errors[i] / errors[i - 1]) / std::log(steps[i] / steps[i - 1]));
    std::printf("\n");
  }
  const double n = static_cast<double>(steps.size());
  const double order = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  std::printf("  observed order %.3f\n", order);
  return order;
}

}  // namespace delassus::test
