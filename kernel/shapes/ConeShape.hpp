// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// A cone about the z axis, its base at z = −h/4 and its tip at 3h/4, so that the origin is the centre of mass.
///
/// It is made of a face that is bounded by a rim, of a tip, and of a ruled side between them. On its side it lies with
/// the tip and the lowest point of the rim, on which it rolls. What lies on the base lies on a polygon of `sides`
/// corners, as on an end of a CylinderShape, and the base stands on every second of these. Balls and smooth shapes meet
/// the side exactly at every configuration, edges and other sides along a line of it that stays in the cone for the
/// step.
class ConeShape final : public ConvexShape {
 public:
  static constexpr std::size_t sides = 16;  ///< of the polygon that stands for the base

  /// In m. Throws Error unless they are positive and finite.
  ConeShape(double radius, double height);
  double radius() const { return data_->rim.rim; }              ///< of the base, m
  double height() const { return -4. * data_->rim.centre[2]; }  ///< m

  std::string_view className() const override { return "ConeShape"; }
  std::vector<double> parameters() const override { return {radius(), height()}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  /// Radius of the ball that fits into it.
  double size() const override;
  double spinRadius() const override;
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;

  Vector3 support(const Vector3& d) const override;
  SurfaceFoot foot(const Vector3& point) const override;
  /// The base where d is within three degrees of its normal, tip and rim otherwise.
  Feature feature(const Vector3& d) const override;
  std::span<const Face> faces() const override { return {&data_->base, 1}; }
  std::span<const RoundCorner> corners() const override { return {&data_->tip, 1}; }
  std::span<const RoundCorner> rims() const override { return {&data_->rim, 1}; }
  const RuledSide* ruledSide() const override { return &data_->ruled; }
  RoundEdge lineOfSide(const Vector3& d) const override;
  bool isRound() const override { return true; }

 private:
  // Copies share it: the face points to its outline.
  struct Data {
    RoundCorner tip, rim;
    std::array<RoundCorner, 2> side;  // both of these
    std::array<RoundCorner, sides> outline;
    std::array<RoundCorner, sides / 2> feet;  // every second corner
    Face base;
    RuledSide ruled;
  };

  std::shared_ptr<const Data> data_;
};

}  // namespace delassus
