// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/collision/PairGeometry.hpp>
#include <memory>

namespace delassus {

/// The geometry of a pair that looks at both of its shapes at every configuration: of a body and an obstacle, or of two
/// bodies.
class ShapePair : public PairGeometry {
 public:
  std::size_t bodies() const final { return bodies_; }
  bool isTimeDependent() const final { return motion().isMoving(); }

 protected:
  /// The frames of both members at one instant, and how the second one moves, if it is an obstacle.
  struct Members {
    ObstacleMotion::State obstacle;   ///< how the second member moves, where it is an obstacle
    std::array<Placement, 2> frames;  ///< the frame of the first member, that of the second
  };

  /// `bodies`: 1 or 2.
  explicit ShapePair(std::size_t bodies) : bodies_(bodies) {}

  void begin(const Collider& first, const Collider& second) override;
  double overlap(double t, const Vector& q, const Vector3& n) const final;

  /// The frames of both members at (t, q).
  Members membersAt(double t, const Vector& q) const;
  /// The shape of this member, 0 or 1.
  const Shape& shape(std::size_t member) const { return *shapes_[member]; }
  /// The place of the shape of a member that has this frame.
  Placement placeOf(const Placement& frame, std::size_t member) const { return frame.place(at_[member]); }

 private:
  std::size_t bodies_;
  std::array<std::shared_ptr<const Shape>, 2> shapes_;
  std::array<Placement, 2> at_;  // of the shapes in the frames of their members
};

}  // namespace delassus
