// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// A cylinder about the z axis, the origin halfway.
///
/// Its side is an edge, the axis, with the radius; its ends are faces that are bounded by rims. What lies on an end
/// lies on a polygon of `sides` corners on the rim, which is inside by at most 2 % of the radius. An end stands on
/// every second of these corners, a polygon that is inside by at most 7.6 %, and on the lowest point of its rim if it
/// tilts.
class CylinderShape final : public ConvexShape {
 public:
  static constexpr std::size_t sides = 16;  ///< of the polygon that stands for an end

  /// In m. Throws Error unless they are positive and finite.
  CylinderShape(double radius, double height);
  double radius() const { return data_->side.rounding; }   ///< m
  double height() const { return 2. * data_->side.half; }  ///< m

  std::string_view className() const override { return "CylinderShape"; }
  std::vector<double> parameters() const override { return {radius(), height()}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override;
  double spinRadius() const override { return std::hypot(radius(), data_->side.half); }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override { return Surface::cylinder(radius(), height(), segments); }

  Vector3 support(const Vector3& d) const override;
  SurfaceFoot foot(const Vector3& point) const override;
  /// An end where the axis is within three degrees of d, its side otherwise.
  Feature feature(const Vector3& d) const override;
  std::span<const Face> faces() const override { return data_->ends; }
  std::span<const RoundEdge> edges() const override { return {&data_->side, 1}; }
  std::span<const Vector3> directions() const override { return {&data_->side.direction, 1}; }
  std::span<const RoundCorner> rims() const override { return data_->rims; }
  bool isRound() const override { return true; }

 private:
  // Copies share it: faces point to their outlines.
  struct Data {
    RoundEdge side;
    std::array<RoundCorner, 2> rims;
    std::array<RoundCorner, 2 * sides> outlines;
    std::array<RoundCorner, sides> feet;  // every second corner of both
    std::array<Face, 2> ends;
  };

  std::shared_ptr<const Data> data_;
};

}  // namespace delassus
