// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Shapes.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <string>

namespace delassus {

/// A body with a shape, or an obstacle at rest, as used by a CollisionManager in one step.
class Collider {
 public:
  /// Reads the present state of the body.
  Collider(std::shared_ptr<NewtonEulerDS> body, const Shape& shape, std::size_t group);
  /// An obstacle.
  Collider(const Shape& shape, const Placement& placement, std::size_t group, std::string label);

  /// In the frame of placement(), a body's about its centre of mass; a plane in the inertial frame.
  const Shape& shape() const { return shape_; }
  /// Whether the shape is a sphere.
  bool isBall() const { return std::holds_alternative<SphereShape>(shape_); }
  const std::shared_ptr<NewtonEulerDS>& body() const { return body_; }  ///< null for an obstacle
  std::size_t group() const { return group_; }                          ///< by which laws are chosen
  /// The body's name, or the label of an obstacle; for messages and names of interactions.
  std::string label() const { return body_ ? body_->name() : label_; }

  /// Placement in the state that was read last; the rotation of a ball is not read.
  const Placement& placement() const { return placement_; }
  /// Velocity of the centre of mass, in the inertial frame, m/s; zero for an obstacle.
  const Vector3& velocity() const { return velocity_; }
  /// Bound of the normal speed that spin gives to points of the surface, m/s.
  double spinSpeed() const { return spinSpeed_; }
  /// Bounds of the region that the shape may reach in a step, with a margin.
  const Bounds& bounds() const { return bounds_; }
  /// Bounds in the broad phase: they cover several steps, so that they need not be moved in each.
  const Bounds& heldBounds() const { return heldBounds_; }

  /// Reads the present state of the body. Throws Error if it is not finite.
  void readState();
  /// At rest where it was read the time before, so that pairs of still members stay as they are. Obstacles are still.
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
  std::shared_ptr<NewtonEulerDS> body_;
  Shape shape_;
  std::size_t group_;
  std::string label_;
  Placement placement_;
  Vector3 velocity_{};
  double spinRadius_ = 0.;
  double size_ = 0.;
  double spinSpeed_ = 0.;
  Bounds bounds_, heldBounds_;
  bool held_ = false;
  bool removed_ = false;
  bool isStill_ = false;
};

}  // namespace delassus
