// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// An ellipsoid about the origin with its axes along those of the frame,
///
///     (x/a)² + (y/b)² + (z/c)² ≤ 1.
class EllipsoidShape final : public ConvexShape {
 public:
  /// Half the axes, m. Throws Error unless they are positive and finite.
  EllipsoidShape(double a, double b, double c);
  /// Half the axes (a, b, c), m.
  const Vector3& halfAxes() const { return half_; }

  std::string_view className() const override { return "EllipsoidShape"; }
  std::vector<double> parameters() const override { return {half_[0], half_[1], half_[2]}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override;
  /// The largest of |n × x| over the surface is at most the difference of the longest and the shortest half axis.
  double spinRadius() const override;
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;

  Vector3 support(const Vector3& d) const override;
  /// By Newton's method on the multiplier t of the nearest point, x_i = a_i² p_i / (t + a_i²), from the side on which
  /// it converges monotonically (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013).
  SurfaceFoot foot(const Vector3& point) const override;
  Feature feature(const Vector3&) const override { return {}; }
  bool isRound() const override { return true; }
  double largestCurvatureRadius() const override;

 private:
  Vector3 half_;
};

}  // namespace delassus
