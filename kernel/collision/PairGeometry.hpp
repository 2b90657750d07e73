// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/collision/Collider.hpp>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <memory>

namespace delassus {

/// The geometry of a pair of colliders that a CollisionManager has linked. When they part it may be given to another
/// pair of the same kind.
class PairGeometry : public ContactGeometry {
 public:
  /// Begins with another pair.
  virtual void begin(const Collider& first, const Collider& second) = 0;
  /// Updates the geometry from the narrow phase for the present state, at the beginning of each step; true if the
  /// geometry has changed.
  virtual bool follow(const Collider&, const Collider&, const Manifold&) { return false; }
  /// Each pair has one of its own.
  bool isSelfContained() const final { return true; }
};

/// What kind of geometry a pair has; pairs of one kind may use the geometries of each other.
struct PairKind {
  /// The geometry of the contact.
  enum class Type {
    twoSpheres,      ///< two bodies; gap and normal are those of any state
    sphereAndPlane,  ///< a body and an obstacle; gap and normal are those of any state
    ball,            ///< BallGeometry
    manifold         ///< ManifoldGeometry
  };
  Type type = Type::manifold;
  std::size_t bodies = 1;  ///< 2, or 1 and an obstacle
  /// An order of kinds, without meaning.
  auto operator<=>(const PairKind&) const = default;
};

/// The kind of a pair whose first member is a body.
PairKind kindOf(const Collider& first, const Collider& second);
/// A geometry of this kind, not yet assigned to a pair.
std::unique_ptr<PairGeometry> makePairGeometry(const PairKind& kind);

/// Points of a Manifold that stay fixed on their bodies during the step, with a fixed normal,
///
///     gap = n · (x₁ + a₁ − x₂ − a₂),    a = R × (arm in the body's frame),
///
/// with the contact halfway between both. A step takes the points of its beginning, so the error of the gap at its end
/// is of second order in the rotation over the step. Unused points are placed at the position of a used one, with a gap
/// larger by `absent`.
///
/// A point keeps its number from step to step while it stays near its place on the first body, so that its multiplier
/// is a good start for the next step.
class ManifoldGeometry final : public PairGeometry {
 public:
  static constexpr double absent = 1e6;  ///< m

  /// `bodies`: 1 or 2.
  explicit ManifoldGeometry(std::size_t bodies) : bodies_(bodies) {}

  std::string_view className() const override { return "ManifoldGeometry"; }
  std::size_t bodies() const override { return bodies_; }
  /// Number of slots, including unused ones.
  std::size_t points() const override { return slots_.size(); }
  void begin(const Collider& first, const Collider& second) override;
  bool follow(const Collider& first, const Collider& second, const Manifold& manifold) override;
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;
  void serializeState(StateArchive& archive) override;
  bool hasMemory() const override { return true; }

 private:
  struct Slot {
    bool present = false;
    bool known = false;  // `firstArm` belongs to a point of this pair
    Vector3 firstArm{};
    Vector3 secondArm{};
  };

  Slot& slotFor(const Vector3& firstArm);

  std::size_t bodies_;
  bool firstTurns_ = false;
  bool secondTurns_ = false;
  Vector3 normal_{0., 0., 1.};
  Slot anyPoint_;
  std::array<Slot, Manifold::maxPoints> slots_;
};

}  // namespace delassus
