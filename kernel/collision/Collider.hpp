// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/contacts/ObstacleMotion.hpp>
#include <delassus/kernel/shapes/ConvexShape.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <optional>
#include <string>

namespace delassus {

/// A shape, or a part of a compound one, fixed in a body or in an obstacle, as used by a CollisionManager in one step.
class Collider {
 public:
  /// Reads the present state of the body; the shape is at `at` in its frame. `part` is added to the name of the body in
  /// messages.
  Collider(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape, const Placement& at,
           std::size_t group, std::string part = {});
  /// An obstacle; `at` is in its frame, which moves so.
  Collider(std::shared_ptr<const Shape> shape, const Placement& at, ObstacleMotion motion, std::size_t group,
           std::string label);

  /// In the frame of placement(). Convex or a half-space.
  const Shape& shape() const { return *shape_; }
  /// The same, to keep.
  const std::shared_ptr<const Shape>& sharedShape() const { return shape_; }
  /// The placement of the shape in the frame of the body or the obstacle; that of an obstacle at rest is the inertial
  /// one.
  const Placement& at() const { return at_; }
  /// Whether the shape is a sphere.
  bool isBall() const { return ballRadius() > 0.; }
  /// Of a sphere; 0 for other shapes.
  double ballRadius() const { return shape_->convex() != nullptr ? shape_->convex()->ballRadius() : 0.; }
  /// Whether it is a part of a surface, behind which there is nothing.
  bool isOneSided() const { return shape_->convex() != nullptr && shape_->convex()->isOneSided(); }
  /// The plane of a half-space, in its frame; null for others.
  const Plane* plane() const { return shape_->plane(); }
  /// The plane of a half-space at rest, in the inertial frame; null for others.
  const Plane* fixedPlane() const { return fixedPlane_ ? &*fixedPlane_ : nullptr; }
  const std::shared_ptr<NewtonEulerDS>& body() const { return body_; }  ///< null for an obstacle
  const ObstacleMotion& motion() const { return motion_; }              ///< of an obstacle
  bool isFixed() const { return !body_ && !motion_.isMoving(); }        ///< of an obstacle at rest
  std::size_t group() const { return group_; }                          ///< by which laws are chosen
  /// For messages and names of interactions: "ball 3", "obstacle 2", "hammer part 1".
  std::string label() const { return body_ ? body_->name() + label_ : label_; }

  /// Where the shape is in the state that was read last; the rotation of a ball about the centre of mass is not read.
  const Placement& placement() const { return placement_; }
  /// Where the frame of the body is then, at its centre of mass, or that of the obstacle.
  const Placement& bodyPlacement() const { return bodyPlacement_; }
  /// Velocity of the centre of mass of the body, or of the origin of an obstacle's shape, in the inertial frame, m/s.
  const Vector3& velocity() const { return velocity_; }
  /// Velocity of the material point that is at x, in the inertial frame, m/s.
  Vector3 velocityAt(const Vector3& x) const {
    return velocity_ + cross(turning_, x - (body_ ? bodyPlacement_ : placement_).position);
  }
  /// Bound of the normal speed that spin gives to points of the surface, m/s; of a half-space, where this other shape
  /// is.
  double spinSpeed(const Collider& near) const {
    if (tiltRate_ == 0.) return spinSpeed_;
    return tiltRate_ * (norm(near.placement_.position - placement_.position) + near.shape_->spinRadius());
  }
  /// Bounds of the region that the shape may reach in a step, with a margin.
  const Bounds& bounds() const { return bounds_; }
  /// Bounds in the broad phase: they cover several steps, so that they need not be moved in each.
  const Bounds& heldBounds() const { return heldBounds_; }

  /// The number of the first part of the compound that this is a part of, among all colliders; its own otherwise.
  ///@{
  std::uint32_t whole() const { return whole_; }
  void setWhole(std::uint32_t number) { whole_ = number; }
  ///@}

  /// Reads the present state of the body, or that of the obstacle at t. Throws Error if it is not finite.
  void readState(double t);
  /// At rest where it was read the time before, so that pairs of still members stay as they are. Obstacles at rest are
  /// still.
  bool isStill() const { return isStill_; }
  /// Computes the bounds for a step of size h with this margin; true if the held ones no longer fit and were renewed.
  bool updateBounds(double h, double margin);

  /// Saves or restores what is kept from step to step: the bounds and the state that was read.
  void serializeState(StateArchive& archive);

  /// A removed collider keeps its number and is ignored from then on.
  ///@{
  bool isRemoved() const { return removed_; }
  void remove() { removed_ = true; }
  ///@}

 private:
  void readBody();
  void readMotion(double t);

  std::shared_ptr<NewtonEulerDS> body_;
  std::shared_ptr<const Shape> shape_;
  Placement at_;
  ObstacleMotion motion_;
  std::size_t group_;
  std::string label_;  // of an obstacle; what a part adds to the name of its body, which may still change
  Placement bodyPlacement_, placement_;
  std::optional<Plane> fixedPlane_;
  Vector3 velocity_{};
  Vector3 turning_{};  // rad/s, in the inertial frame; that of a ball does not matter, and is 0
  double spinRadius_ = 0.;
  double spinSpeed_ = 0.;
  double tiltRate_ = 0.;  // rad/s, at which the normal of a half-space turns
  Bounds bounds_, heldBounds_;
  std::uint32_t whole_ = 0;
  bool held_ = false;
  bool removed_ = false;
  bool isStill_ = false;
};

/// Bound of the speed by which the spin of both brings their surfaces nearer, m/s.
inline double spinSpeedOf(const Collider& first, const Collider& second) {
  return first.spinSpeed(second) + second.spinSpeed(first);
}

}  // namespace delassus
