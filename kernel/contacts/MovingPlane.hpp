// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/contacts/ObstacleMotion.hpp>
#include <delassus/kernel/shapes/Plane.hpp>
#include <delassus/numerics/Settings.hpp>

namespace delassus {

/// A plane fixed in an obstacle that moves, or whose surface runs (ObstacleMotion): a shaken table, a turntable, a
/// conveyor. A plane at rest converts to it.
///
///     MovingPlane(Plane{}, automatic([=](const auto& t, auto& q) { using std::sin; q(2) = a * sin(w * t); }))
///     MovingPlane(Plane{}, ObstacleMotion().withSurface({0.5, 0., 0.}))
class MovingPlane {
 public:
  /// z = 0 at rest.
  MovingPlane() : MovingPlane(Plane{}) {}
  /// At rest. Throws Error as Plane::through.
  MovingPlane(const Plane& plane);  // NOLINT: implicit by intention
  /// `plane` in the frame of the obstacle, whose motion may be given as a function, too. Throws Error also if that is
  /// empty.
  ///@{
  MovingPlane(const Plane& plane, ObstacleMotion motion);
  MovingPlane(const Plane& plane, ObstacleMotion::Function motion);
  ///@}

  /// True if the obstacle moves, or its surface runs.
  bool isMoving() const { return motion_.isMoving(); }
  /// The plane in the frame of the obstacle, and how that moves.
  Settings settings() const;

  /// Moves the plane to its place at t. Throws Error naming t if the motion gives numbers that are not finite.
  void moveTo(double t);
  /// Unit normal in the inertial frame, at the time of the last moveTo.
  const Vector3& normal() const { return placed_.normal; }
  /// Distance of a point at that time, m, negative on the other side.
  double distance(const Vector3& point) const { return dot(placed_.normal, point) - placed_.offset; }
  /// The contact of a point of a body, at signed distance `gap` above the plane.
  void touch(const Vector3& bodyPoint, double gap, ContactPoint& contact) const;

 private:
  Plane plane_;   // in the frame of the obstacle
  Plane placed_;  // in the inertial frame at the time of the last moveTo
  ObstacleMotion motion_;
  ObstacleMotion::State state_;  // at that time
};

}  // namespace delassus
