// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/collision/ShapePair.hpp>
#include <vector>

namespace delassus {

/// The points of a Manifold at every configuration q of the step: the surface points x_i + R_i a_i stay fixed in their
/// bodies, and the normal turns with what determines it, unit vectors s₁ and s₂ that are fixed in the first and the
/// second body, and the share β of the second,
///
///     faces:  n along (1 − β) s₁ + β s₂,      gap = n · (x₁ + R₁a₁ − x₂ − R₂a₂)
///     edges:  n along t₁ × t₂, as s₂ points,  gap = n · (p₁ − p₂) − r₁ − r₂
///     feet:   n along c − f,                  gap = ‖c − f‖ − r, negative inside
///
/// with the tangents t of two edges at the points p where they are nearest (lines, or the rims of cylinders, on which
/// these points move; r their roundings), and with the foot f of the centre c of a ball of radius r (the end of a
/// capsule, a point of its axis) on the surface of the other shape.
///
/// With β = 1 a corner of the first body is above the plane of a face of the second, however both move, and with β = 0
/// the reverse. A round corner touches with its lowest point, which moves on it: a cylinder that rolls on a face stays
/// exactly on it. A contact lies halfway along n. Across n it divides what is between the two points in the ratio of
/// the parts of the normal: it is at the corner, if one face alone determines the normal. There the derivative of the
/// gap is the relative normal velocity of the two bodies.
///
/// Unused points are placed at the position of a used one, with a gap larger by `absent`. A point keeps its number from
/// step to step while it stays near its place on the first body, so that its multiplier is a good start for the next
/// step.
class ManifoldGeometry final : public ShapePair {
 public:
  /// `bodies`: 1 or 2; `points`: how many slots, at most Manifold::maxPoints.
  ManifoldGeometry(std::size_t bodies, std::size_t points) : ShapePair(bodies), slots_(points) {}

  std::string_view className() const override { return "ManifoldGeometry"; }
  /// Number of slots, including unused ones.
  std::size_t points() const override { return slots_.size(); }
  void begin(const Collider& first, const Collider& second) override;
  bool follow(const Collider& first, const Collider& second, const Manifold& manifold) override;

 protected:
  void findPresent(double t, const Vector& q, ContactPoint* contacts) override;
  void serializePresent(StateArchive& archive) override;

 private:
  // Vectors in the frames of the bodies, or that of the obstacle.
  struct Slot {
    bool present = false;
    bool known = false;  // `firstArm` belongs to a point of this pair
    Vector3 firstArm{};
    Vector3 secondArm{};
    double share = 1.;
    RoundCorner tip{};  // of the first body (share 1) or the second (share 0)
    Manifold::NormalOf normalOf = Manifold::NormalOf::faces;
  };

  Slot& slotFor(const Vector3& firstArm);
  void touchFaces(const Slot& slot, const std::array<Placement, 2>& bodies, ContactPoint& contact) const;
  void touchEdges(const Slot& slot, const std::array<Placement, 2>& bodies, ContactPoint& contact) const;
  void touchFoot(const Slot& slot, const std::array<Placement, 2>& bodies, ContactPoint& contact) const;

  Vector3 firstPart_{0., 0., 1.};
  Vector3 secondPart_{0., 0., 1.};
  ContactCurve firstCurve_, secondCurve_;
  Slot anyPoint_;
  std::vector<Slot> slots_;
};

}  // namespace delassus
