// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/Box.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void Box::validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const {
  for (std::size_t i = 0; i < rows; ++i) {
    if (lower[i] <= upper[i] && lower[i] < infinity && upper[i] > -infinity) continue;
    failPart(part, "expected lower <= upper with a number between, got [" + toText(lower[i]) + ", " + toText(upper[i]) +
                       "] in row " + std::to_string(i) + " of the part.");
  }
}

}  // namespace delassus::numerics
