// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Collider.hpp>
#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <limits>
#include <memory>
#include <vector>

namespace delassus {

/// The geometry of a pair of colliders that a CollisionManager has linked. When they part it may be given to another
/// pair of the same kind.
///
/// Of bodies that move by more than about their size in a step neither gap nor normal of its beginning say whether and
/// how they will touch. They meet ahead: the points are those where they do if they move straight (MeetingAhead), and
/// with the normal n and the arms r of both bodies there, kept as they are for the step,
///
///     gap = n · (x₁ + r₁ − x₂ − r₂),
///
/// which is zero when they are there. Each body has the point at its own arm (ContactPoint::beside); rotations in the
/// step, which may be large where it ends in an impact, do not turn them.
class PairGeometry : public ContactGeometry {
 public:
  /// Begins with another pair.
  void beginPair(const Collider& first, const Collider& second);
  /// The same, of what a derived geometry keeps.
  virtual void begin(const Collider& first, const Collider& second) = 0;
  /// Updates the geometry from the narrow phase for the present state, at the beginning of each step; true if the
  /// geometry has changed.
  bool followPair(const Collider& first, const Collider& second, const Manifold& manifold);
  /// The same for a manifold that is not ahead.
  virtual bool follow(const Collider&, const Collider&, const Manifold&) { return false; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) final;
  void serializeState(StateArchive& archive) final;
  /// Of both shapes; half-spaces and parts of a surface have none.
  double thickness() const final { return thickness_; }
  /// Where they meet ahead, that of the shapes along the normals there.
  double depth(double t, const Vector& q, double found) const final;
  bool hasMemory() const final { return true; }
  /// Each pair has one of its own.
  bool isSelfContained() const final { return true; }

 protected:
  /// findContacts for bodies that do not meet ahead.
  virtual void findPresent(double t, const Vector& q, ContactPoint* contacts) = 0;
  /// By how much the shapes reach beyond each other along n at (t, q); infinity where a derived geometry does not know
  /// it.
  virtual double overlap(double, const Vector&, const Vector3&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// The motion of the second member, if that is an obstacle.
  const ObstacleMotion& motion() const { return obstacle_; }
  /// Saves or restores what a derived geometry keeps from step to step.
  virtual void serializePresent(StateArchive&) {}

 private:
  // From the centre of each body to the point that it has, in the inertial frame; that of an obstacle is in its frame.
  struct Ahead {
    Vector3 arm, armOfSecond, normal;
  };
  void goAhead(const Collider& first, const Collider& second, const Manifold& manifold);
  void findAhead(double t, const Vector& q, ContactPoint* contacts) const;

  std::vector<Ahead> ahead_;  // empty unless they meet ahead
  double thickness_ = 0.;
  ObstacleMotion obstacle_;  // of the second member, if it is one
};

/// What kind of geometry a pair has; pairs of one kind may use the geometries of each other.
struct PairKind {
  /// The geometry of the contact.
  enum class Type {
    twoSpheres,      ///< two bodies; gap and normal are those of any state
    sphereAndPlane,  ///< a body and an obstacle; gap and normal are those of any state
    ball,            ///< BallGeometry
    smooth,          ///< SmoothGeometry
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
