// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <vector>

namespace delassus {

/// Points fixed in a body, the corners of a convex body say, and a plane at rest or moving: one contact for each. With
/// a radius the points are centres of balls, for rounded bodies (two points make a capsule).
///
/// A body that lies on a face rests on all its corners, which is hyperstatic: its impulses are not unique, its motion
/// is.
class PointsPlane : public ContactGeometry {
 public:
  /// Points in the body's frame. Throws Error if there is none, one is not finite or the radius is negative.
  PointsPlane(std::vector<Vector3> points, MovingPlane plane, double radius = 0.);
  std::string_view className() const override { return "PointsPlane"; }
  Settings settings() const override;
  std::size_t bodies() const final { return 1; }
  std::size_t points() const final { return points_.size(); }
  bool isTimeDependent() const final { return plane_.isMoving(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) final;

 private:
  std::vector<Vector3> points_;
  MovingPlane plane_;
  double radius_;
};

/// A box with edges lx, ly, lz along the axes of a body, about its centre of mass, and a plane: its eight corners.
class BoxPlane final : public PointsPlane {
 public:
  /// Throws Error unless the edges are positive and finite.
  BoxPlane(double lx, double ly, double lz, MovingPlane plane);
  std::string_view className() const override { return "BoxPlane"; }
};

/// A box in the plane of two axes of a body, for motion in that plane: a rectangle with edges lx and ly along x and y,
/// about the centre of mass, and its four corners.
class RectanglePlane final : public PointsPlane {
 public:
  /// Throws Error unless the edges are positive and finite.
  RectanglePlane(double lx, double ly, MovingPlane plane);
  std::string_view className() const override { return "RectanglePlane"; }
};

}  // namespace delassus
