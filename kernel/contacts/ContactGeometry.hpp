// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>

namespace delassus {

/// Where two bodies touch or are nearest, in the inertial frame. With one body, the second is an obstacle.
struct ContactPoint {
  Vector3 point{};             ///< halfway between the surfaces, m (on one: of SurfacePoint, and with `beside`)
  Vector3 normal{1., 0., 0.};  ///< unit, out of the second body (or the obstacle) into the first
  double gap = 0.;             ///< signed distance along the normal, m
  Vector3 obstacleVelocity{};  ///< of the obstacle's surface at the point, m/s; zero between two bodies
  Vector3 obstacleRotation{};  ///< ω of the obstacle's surface, rad/s; zero between two bodies
  Vector3 tangent{};           ///< t₁ if it matters, of any length, near the tangential plane; zero leaves it free
  /// From `point` to the corresponding point of the second body, m: not zero where two bodies meet later in the step
  /// (PairGeometry); `point` is then on the first surface. Each body has the arm of its own point, as when they meet,
  /// so that the impulse p changes the angular momentum of both together by −beside × p at the configuration where it
  /// acts.
  Vector3 beside{};

  /// The frame (n, t₁, t₂) as columns, right-handed: t₁ along the part of `tangent` in the tangential plane, or as in
  /// contactFrame(n) where there is none.
  Matrix3 frame() const;
};

/// The shapes of one body and an obstacle, or of two bodies, and where they touch. The number of points is fixed:
/// points that cannot touch have a gap of about `absent` at least.
///
/// The points are the lowest points of the bodies (or fixed in them), so that the derivative of the gap is the normal
/// velocity of the material point there.
class ContactGeometry {
 public:
  /// The gap of a point that cannot touch, or more, m.
  static constexpr double absent = 1e6;

  virtual ~ContactGeometry() = default;

  /// Name of the class; for messages, recordings and checkpoints.
  virtual std::string_view className() const = 0;
  virtual std::size_t bodies() const = 0;           ///< 1 or 2
  virtual std::size_t points() const { return 1; }  ///< number of points that findContacts gives, fixed
  /// True if the obstacle moves, or its surface runs.
  virtual bool isTimeDependent() const { return false; }

  /// Half the least width of the thinner of the two shapes, m, by which their depth is judged beside the size of the
  /// bodies; 0 where it is not known, or none has one.
  virtual double thickness() const { return 0.; }

  /// How deep the bodies are in each other at (t, q), m, where the gaps of contacts say `found`: that, by default. Less
  /// where points do not turn with their bodies, as those of PairGeometry that are ahead.
  virtual double depth(double, const Vector&, double found) const { return found; }

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what is kept from step to step.
  virtual void serializeState(StateArchive&) {}
  /// True if points depend on what was asked before; a relation of such a geometry belongs to one interaction.
  virtual bool hasMemory() const { return false; }
  /// True if it belongs to one relation, and that is self-contained (Relation::isSelfContained).
  virtual bool isSelfContained() const { return false; }

  /// The points() points at t; q stacks the configurations (x, p) of the bodies.
  virtual void findContacts(double t, const Vector& q, ContactPoint* contacts) = 0;
};

}  // namespace delassus
