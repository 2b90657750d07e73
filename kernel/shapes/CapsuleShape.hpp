// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// A capsule about the z axis, the origin halfway: all points within a radius of a segment.
class CapsuleShape final : public ConvexShape {
 public:
  /// The radius, and the length of the segment (the capsule is longer by two radii), m. Throws Error unless they are
  /// positive and finite.
  CapsuleShape(double radius, double length);
  double radius() const { return corners_[0].ball; }  ///< m
  double length() const { return 2. * edge_.half; }   ///< of the segment, m

  std::string_view className() const override { return "CapsuleShape"; }
  std::vector<double> parameters() const override { return {radius(), length()}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override { return radius(); }
  double spinRadius() const override { return edge_.half; }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override { return Surface::capsule(radius(), length(), segments); }

  Vector3 support(const Vector3& d) const override {
    return radius() * d + Vector3{0., 0., std::copysign(edge_.half, d[2])};
  }
  SurfaceFoot foot(const Vector3& point) const override;
  Feature feature(const Vector3&) const override { return {corners_, {}, nullptr}; }
  std::span<const RoundEdge> edges() const override { return {&edge_, 1}; }
  std::span<const Vector3> directions() const override { return {&edge_.direction, 1}; }
  std::span<const RoundCorner> corners() const override { return corners_; }
  bool isRound() const override { return true; }

 private:
  RoundEdge edge_;
  std::array<RoundCorner, 2> corners_;
};

}  // namespace delassus
