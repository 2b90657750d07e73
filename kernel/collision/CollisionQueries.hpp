// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/RayCast.hpp>
#include <delassus/kernel/collision/ShapeDistance.hpp>
#include <limits>
#include <optional>

namespace delassus {

/// What is where among the bodies and obstacles of a CollisionManager: rays of sensors, free places, neighbours.
///
///     const CollisionQueries queries(*contacts, simulation.time());
///     if (const auto hit = queries.firstHit(eye, eye + 5. * ahead)) std::cout << hit->fraction * 5. << " m\n";
///
/// It is a snapshot, of bodies as they are when it is made and of obstacles where they are at an instant; the manager
/// need not have seen a step. The pairs of two groups that a manager excludes do not matter here. Bounds are kept in a
/// tree (btDbvt of Bullet), so that a question costs about the logarithm of the number of members and the members near
/// it. Questions may be asked from several threads.
class CollisionQueries {
 public:
  /// Takes all members that are not removed: bodies in their present state, obstacles where they are at t. Throws Error
  /// if the state of a body or a motion is not finite.
  CollisionQueries(const CollisionManager& manager, double t);
  ~CollisionQueries();
  /// A moved-from object can only be destroyed or assigned to.
  ///@{
  CollisionQueries(CollisionQueries&&) noexcept;
  CollisionQueries& operator=(CollisionQueries&&) noexcept;
  ///@}

  /// A body or an obstacle that an answer is about.
  struct Member {
    std::size_t collider = 0;             ///< its number in CollisionManager::colliders, that of a part of a compound
    std::shared_ptr<NewtonEulerDS> body;  ///< null for an obstacle
    std::size_t obstacle = 0;             ///< its number as insertObstacle gave it, where `body` is null
  };
  /// A member that a segment meets, and where.
  struct Hit : RayHit {
    Member member;  ///< whose surface it is
  };
  /// A member near a shape or a point.
  struct Neighbour {
    Member member;           ///< the second shape of `distance`
    ShapeDistance distance;  ///< of the given shape or point, which is the first one
  };

  /// The member that the segment meets first (see castRay); of several at the same place that with the least number.
  /// Throws Error as castRay.
  std::optional<Hit> firstHit(const Vector3& from, const Vector3& to) const;
  /// All members that the segment meets, each where it does first, in the order of the fractions, then of the numbers.
  /// Throws Error as castRay.
  std::vector<Hit> hits(const Vector3& from, const Vector3& to) const;
  /// All members that a shape touches at a placement, or is nearer to than `margin` (m), by their numbers. Throws Error
  /// unless the margin is finite and not negative, and as findDistance.
  std::vector<Neighbour> overlaps(const Shape& shape, const Placement& at, double margin = 0.) const;
  /// The member nearest to a shape or a point, up to a gap of `range` (m); none if there is none. Throws Error unless
  /// the range is positive (infinite is allowed), and as findDistance.
  ///@{
  std::optional<Neighbour> nearest(const Shape& shape, const Placement& at, double range = unlimited) const;
  std::optional<Neighbour> nearest(const Vector3& point, double range = unlimited) const;
  ///@}

  /// No limit of a range, m.
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace delassus
