// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

/// Seams of floors and walls that are made of several shapes: what moves over them must not notice them. A shape alone
/// ends at its edge, where a ball gets a normal that is tilted, and a shape with faces that rounding has left deeper
/// than the seam finds the side of the next shape in its way.
namespace seams {

/// What counts as flush, in units of Shape::size of what moves: steps that are lower are passed over.
constexpr double flush = 1e-3;

/// A set of sides of a box, as BoxShape::footBeyond takes it.
using Sides = ConvexShape::OpenSides;

/// The sides at which a box with these half edges goes on in another box or a plane, at a foot on its surface (in its
/// frame): sides beyond which the face of the foot continues in one that is parallel and as high, up to `tolerance`,
/// across a joint of at most `joint` m; and the side of the foot itself where the other shape covers it.
Sides continuedSides(const Vector3& half, const Placement& place, const SurfaceFoot& foot, const Shape& other,
                     const Placement& otherPlace, double tolerance, double joint);

/// A manifold from the view of one of its members.
struct View {
  const Manifold& manifold;  ///< what is viewed
  bool isFirst;              ///< whether that member is the first

  /// Into the member.
  Vector3 normal() const { return isFirst ? manifold.normal : -manifold.normal; }
  /// On the other shape.
  const Vector3& point(std::size_t k) const {
    return isFirst ? manifold.points[k].onSecond : manifold.points[k].onFirst;
  }
};

/// Whether a contact of a convex member with `other` exists by the depth alone to which the member lies in a support.
/// Lifted out of that it would not be there: the other shape as a whole lies below the plane on which the support
/// pushes the member, or less than `tolerance` above it; or the points of the contact do, the member is less than
/// `shallow` deep in the support, and does not meet the other one where it is lifted by that depth and the tolerance.
/// (Bodies that stand on one floor meet at their feet, at its height.) Contacts that push along about the same normal
/// support the member, too, and stay, unless they are those of an edge or a corner with a round side.
bool isBelow(const View& contact, const PlacedConvex& member, const PlacedConvex& other, const View& support,
             double tolerance, double shallow);

}  // namespace seams
}  // namespace delassus
