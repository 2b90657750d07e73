// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/shapes/Placement.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <memory>

namespace delassus {

/// How an obstacle moves, and how its surface runs on it: a shaken table, a turntable, a drum, a conveyor belt.
///
/// The motion q(t) = (x, p) places the obstacle's frame as that of a rigid body: 7 numbers, with a unit quaternion p
/// (which is normalised, as is its rate), or p = 0 if the obstacle does not turn. One word says where its derivative
/// comes from, as for all functions:
///
///     ObstacleMotion(automatic([=](const auto& t, auto& q) { using std::sin; q(2) = a * sin(w * t); }))
///     ObstacleMotion(withJacobians(motion, rates))     // rates: (ẋ, ṗ), ṗ = ½ (0, ω) ∘ p
///     ObstacleMotion(differenced(motion))
///     ObstacleMotion().withSurface({0.5, 0., 0.})      // a belt, whose frame is at rest
///
/// Matter of the surface at P moves with ẋ + ω × (P − x) and, along the surface at a contact with the normal n, with
///
///     (1 − n nᵀ) R (v + ϖ × Rᵀ (P − x)) f(t),
///
/// where v and ϖ are the velocity and the rotation of the running surface in the frame of the obstacle, and f is a
/// factor. What only runs does not change the gap.
///
/// Both functions depend on t alone: what they gave for an instant may be taken again, by copies, too. An object may be
/// asked from several threads at once; the functions of the user, those of all objects, are called from one at a time.
/// Rolling resistance sees ω + R ϖ f, whatever its direction.
class ObstacleMotion {
 public:
  /// q(t) with its derivative.
  using Function = SmoothFunction<Arguments<double>, WithRespectTo<0>>;
  /// f(t), 1 where nothing is given; it may jump.
  using Factor = std::function<double(double)>;

  /// At rest, at the origin.
  explicit ObstacleMotion() = default;
  /// Throws Error if the function is empty.
  explicit ObstacleMotion(Function motion);
  /// The same motion, with a surface that runs at the velocity (m/s) and the rotation (rad/s, about the origin of the
  /// frame) given in the frame of the obstacle. Throws Error unless both are finite.
  ObstacleMotion withSurface(const Vector3& velocity, const Vector3& rotation = {}, Factor factor = {}) const;

  /// False for what is at rest altogether, surface included.
  bool isMoving() const { return definition_ != nullptr; }
  /// Whether its frame moves.
  bool movesFrame() const;
  /// Whether both are at rest, or one is a copy of the other.
  bool isSame(const ObstacleMotion& other) const { return definition_ == other.definition_; }
  /// Whether it moves, and the velocities of its surface.
  Settings settings() const;

  /// At one instant.
  struct State {
    Placement place;            ///< of the frame
    Vector3 velocity{};         ///< of its origin, m/s
    Vector3 rotation{};         ///< ω, rad/s, in the inertial frame
    Vector3 runs{};             ///< velocity of the surface at the origin, relative to the frame, in the inertial one
    Vector3 surfaceRotation{};  ///< of the surface, relative to the frame, in the inertial one

    /// Sets what of a contact is the obstacle's velocity and rotation, from its point and normal.
    void drive(ContactPoint& contact) const;
  };
  /// Throws Error naming t if the motion or the factor gives numbers that are not finite.
  State at(double t) const;

 private:
  struct Definition;
  struct Recent;

  std::shared_ptr<const Definition> definition_;
  std::shared_ptr<Recent> recent_;
};

}  // namespace delassus
