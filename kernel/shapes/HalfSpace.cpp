// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/HalfSpace.hpp>

#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

Settings HalfSpace::settings() const {
  Settings settings;
  settings.add("plane.normal", std::span<const double>(plane_.normal));
  settings.add("plane.offset", plane_.offset);
  settings.add("plane.tangent", std::span<const double>(plane_.tangent));
  return settings;
}

Bounds HalfSpace::bounds(const Placement&) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
}

MassProperties HalfSpace::massProperties(double) const {
  throw Error("HalfSpace", "a half-space has no finite mass; it is an obstacle.");
}

Surface HalfSpace::surface(std::size_t) const {
  throw Error("HalfSpace", "a half-space has no finite surface; say which part of its plane is drawn (planeSize).");
}

}  // namespace delassus
