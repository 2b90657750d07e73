// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Collider.hpp>
#include <delassus/kernel/collision/Manifold.hpp>
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
  Type type = Type::manifold;  ///< which geometry follows the pair
  std::size_t bodies = 1;      ///< 2, or 1 and an obstacle
  std::size_t points = 1;      ///< how many it may have
  bool moves = false;          ///< the obstacle does, or its surface runs
  /// An order of kinds, without meaning.
  auto operator<=>(const PairKind&) const = default;
};

/// The kind of a pair whose first member is a body.
PairKind kindOf(const Collider& first, const Collider& second);
/// A geometry of this kind, not yet assigned to a pair.
std::unique_ptr<PairGeometry> makePairGeometry(const PairKind& kind);

}  // namespace delassus
