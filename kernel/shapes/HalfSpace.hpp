// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

/// All that lies behind a plane; the normal points to the free side. It is an obstacle.
class HalfSpace final : public Shape {
 public:
  /// Throws Error unless the normal is not zero and all is finite; the normal is made a unit vector.
  explicit HalfSpace(const Plane& plane) : plane_(plane.normalised()) {}

  std::string_view className() const override { return "HalfSpace"; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override { return 0.; }
  double spinRadius() const override { return 0.; }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;
  const Plane* plane() const override { return &plane_; }

 private:
  Plane plane_;
};

}  // namespace delassus
