// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/Placement.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>

namespace delassus {

Placement Placement::at(const Vector3& x, const Quaternion& p) {
  if (!isFinite(x)) throw Error("Placement", "the position must be finite.");
  return {x, rotations::rotationMatrix(rotations::normalised(p, "orientation of a placement"))};
}

void Bounds::inflate(double distance) {
  for (std::size_t k = 0; k < 3; ++k) {
    lower[k] -= distance;
    upper[k] += distance;
  }
}

void Bounds::sweep(const Vector3& displacement) {
  for (std::size_t k = 0; k < 3; ++k) {
    lower[k] += std::min(0., displacement[k]);
    upper[k] += std::max(0., displacement[k]);
  }
}

void Bounds::add(const Bounds& other) {
  for (std::size_t k = 0; k < 3; ++k) {
    lower[k] = std::min(lower[k], other.lower[k]);
    upper[k] = std::max(upper[k], other.upper[k]);
  }
}

}  // namespace delassus
