// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// A ball about the origin.
class SphereShape final : public ConvexShape {
 public:
  /// Radius, m. Throws Error unless it is positive and finite.
  explicit SphereShape(double radius);
  double radius() const { return corner_.ball; }  ///< m

  std::string_view className() const override { return "SphereShape"; }
  std::vector<double> parameters() const override { return {radius()}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override { return radius(); }
  double spinRadius() const override { return 0.; }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override { return Surface::sphere(radius(), segments); }

  Vector3 support(const Vector3& d) const override { return radius() * d; }
  SurfaceFoot foot(const Vector3& point) const override;
  Feature feature(const Vector3&) const override { return {corners(), {}, nullptr}; }
  std::span<const RoundCorner> corners() const override { return {&corner_, 1}; }
  bool isRound() const override { return true; }
  double ballRadius() const override { return radius(); }

 private:
  RoundCorner corner_;
};

}  // namespace delassus
