// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>

namespace delassus {

/// A face in the inertial frame.
struct PlacedFace {
  Vector3 normal{};                      ///< unit, outwards
  double offset = 0.;                    ///< n · x on it, m
  std::span<const RoundCorner> outline;  ///< in the frame of `place`; none for a plane, which has no end
  const Placement* place = nullptr;      ///< of its shape; null for a plane
  const RoundCorner* rim = nullptr;      ///< the circle that the outline stands for, if it is one
  bool isOneSided = false;               ///< of a part of a surface, whose normal is that of all contacts on it

  /// A face of a shape.
  static PlacedFace of(const PlacedConvex& owner, const Face& face);
};

/// The points where a convex shape lies on a face: its feature towards the face, clipped to the outline of this
/// (Sutherland and Hodgman, CACM 17, 1974), as far as gaps are at most `range`. Of more than four corners the deepest
/// and the three that span the largest area with it are kept. Where an end of a cylinder takes part there are up to
/// eight, those that hold most of the area; one that tilts stands on the lowest point of its rim, too. `ownerIsFirst`:
/// whether the face belongs to the first shape.
///
/// Where both features are faces each corner of either has its contact above the other face (Manifold::Point::share).
void meetFace(const PlacedFace& face, const PlacedConvex& other, bool ownerIsFirst, double range, Manifold& manifold);

}  // namespace delassus
