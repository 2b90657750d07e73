// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/shapes/Plane.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>

namespace delassus {

/// A plane fixed in an obstacle whose motion is a given function of time: a shaken table, a conveyor, a turntable. The
/// motion q(t) = (x, p) places the obstacle's frame as that of a rigid body: 7 numbers, with a unit quaternion p (which
/// is normalised, as is its rate), or p = 0 if the obstacle does not turn. One word says where its derivative comes
/// from, as for all functions:
///
///     MovingPlane(Plane{}, automatic([=](const auto& t, auto& q) { using std::sin; q(2) = a * sin(w * t); }))
///     MovingPlane(plane, withJacobians(motion, rates))     // rates: (ẋ, ṗ), ṗ = ½ (0, ω) ∘ p
///     MovingPlane(plane, differenced(motion))
///
/// Material points of the obstacle move with v(P) = ẋ + ω × (P − x): its normal and tangential velocity at contacts,
/// and its rotation. A plane at rest converts to it.
class MovingPlane {
 public:
  /// q(t) with its derivative.
  using Motion = SmoothFunction<Arguments<double>, WithRespectTo<0>>;

  /// z = 0 at rest.
  MovingPlane() : MovingPlane(Plane{}) {}
  /// At rest. Throws Error as Plane::through.
  MovingPlane(const Plane& plane);  // NOLINT: implicit by intention
  /// `plane` in the frame of the obstacle. Throws Error also if the motion is empty.
  MovingPlane(const Plane& plane, Motion motion);

  /// True if it was made with a motion.
  bool isMoving() const { return static_cast<bool>(motion_); }
  /// The plane in the frame of the obstacle, and whether that moves.
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
  Motion motion_;
  Vector q_, rate_;
  Vector3 origin_{}, velocity_{}, rotation_{};
};

}  // namespace delassus
