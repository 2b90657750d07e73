// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/RoundEnd.hpp>

#include <cmath>
#include <numbers>

namespace delassus {

Face shapes::makeRoundEnd(double radius, double z, double up, std::span<RoundCorner> outline,
                          std::span<RoundCorner> feet, RoundCorner& rim) {
  rim = {{0., 0., z}, 0., radius, {0., 0., 1.}};
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const double angle = up * 2. * std::numbers::pi * static_cast<double>(k) / static_cast<double>(outline.size());
    outline[k].centre = {radius * std::cos(angle), radius * std::sin(angle), z};
    if (k % 2 == 0) feet[k / 2] = outline[k];
  }
  return {{0., 0., up}, up * z, outline, &rim};
}

}  // namespace delassus
