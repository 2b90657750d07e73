// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Seams.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <limits>

namespace delassus::seams {
namespace {

constexpr double parallel = 1. - 1e-6;  // of the cosine

// A place on the surface of a box, seen from another shape, in its frame.
struct Place {
  Vector3 point;
  Vector3 normal;   // of the face on which the place is
  Vector3 outward;  // of the box: where it ends at the place
};

double reach(const Vector3& half, const Vector3& direction) {
  return half[0] * std::abs(direction[0]) + half[1] * std::abs(direction[1]) + half[2] * std::abs(direction[2]);
}

bool boxGoesOn(const Vector3& half, const Place& at, double tolerance, double joint) {
  bool isFlush = false;
  for (std::size_t k = 0; k < 3; ++k) {
    const double beyond = std::abs(at.point[k]) - half[k];
    if (std::abs(at.normal[k]) > parallel) {
      isFlush = at.point[k] * at.normal[k] > 0. && std::abs(beyond) <= tolerance;
    } else if (beyond > joint) {
      return false;
    }
  }
  return isFlush && reach(half, at.outward) > dot(at.outward, at.point) + tolerance;
}

// Whether a face goes on in another shape beyond its edge.
bool goesOn(const Shape& other, const Place& at, double tolerance, double joint) {
  if (const Plane* const plane = other.plane()) {
    return dot(plane->normal, at.normal) > parallel &&
           std::abs(dot(plane->normal, at.point) - plane->offset) <= tolerance;
  }
  const Vector3* const half = other.convex() != nullptr ? other.convex()->boxEdges() : nullptr;
  return half != nullptr && boxGoesOn(*half, at, tolerance, joint);
}

bool boxCovers(const Vector3& half, const Place& at, double tolerance, double joint) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double most = std::abs(at.outward[k]) > parallel ? joint : 0.;
    if (std::abs(at.point[k]) > half[k] + most) return false;
  }
  return reach(half, at.outward) > dot(at.outward, at.point) + tolerance;
}

// Whether a place is not on the surface of both shapes together, since the other shape covers it.
bool covers(const Shape& other, const Place& at, double tolerance, double joint) {
  if (const Plane* const plane = other.plane()) return dot(plane->normal, at.point) < plane->offset - tolerance;
  const Vector3* const half = other.convex() != nullptr ? other.convex()->boxEdges() : nullptr;
  return half != nullptr && boxCovers(*half, at, tolerance, joint);
}

// A box as it is placed in the frame of another shape.
struct Seen {
  Placement place;

  Seen(const Placement& box, const Placement& otherPlace)
      : place{otherPlace.local(box.position), multiply(transposed(otherPlace.rotation), box.rotation)} {}
  Vector3 point(const Vector3& local) const { return place.place(local); }
  Vector3 axis(std::size_t k, double side) const { return side * column(place.rotation, k); }
};

}  // namespace

Sides continuedSides(const Vector3& half, const Placement& place, const SurfaceFoot& foot, const Shape& other,
                     const Placement& otherPlace, double tolerance, double joint) {
  const Seen seen(place, otherPlace);
  unsigned sides = 0;
  for (std::size_t face = 0; face < 3; ++face) {
    if (std::abs(foot.normal[face]) < 1e-9) continue;  // the foot does not lie on this face
    const double faceSide = std::copysign(1., foot.normal[face]);
    const Vector3 normal = seen.axis(face, faceSide);
    const Place inside{seen.point(foot.point), normal, normal};
    if (covers(other, inside, tolerance, joint)) sides |= 1u << (2 * face + (faceSide > 0. ? 1 : 0));
    for (std::size_t bit = 0; bit < 6; ++bit) {
      const std::size_t axis = bit / 2;
      if (axis == face) continue;
      const double side = bit % 2 == 0 ? -1. : 1.;
      Vector3 end = foot.point;
      end[axis] = side * half[axis];
      const Place edge{seen.point(end), normal, seen.axis(axis, side)};
      if (goesOn(other, edge, tolerance, joint)) sides |= 1u << bit;
    }
  }
  return static_cast<Sides>(sides);
}

namespace {

// Whether a contact is there, too, along about its normal, where the member is lifted by `lift` along `up`, and brought
// nearer to the other shape by `least` more than the gap of the contact and the way that lifting takes it off: what
// really stands before the member is then about that deep.
bool meetsLifted(const View& contact, const PlacedConvex& member, const PlacedConvex& other, const Vector3& up,
                 double lift, double least) {
  const Vector3 n = contact.normal();
  const double nearer = contact.manifold.gap() + lift * std::max(0., dot(up, n)) + least;
  const Placement lifted{member.place.position + lift * up - nearer * n, member.place.rotation};
  thread_local Manifold there;
  if (contact.isFirst) {
    findManifold(member.shape, lifted, other.shape, other.place, 0., there);
  } else {
    findManifold(other.shape, other.place, member.shape, lifted, 0., there);
  }
  constexpr double sameNormal = 0.8;  // of the cosine: next to an edge it is one between those of its faces
  return there.gap() < -0.25 * least && dot(View{there, contact.isFirst}.normal(), n) > sameNormal;
}

}  // namespace

bool isBelow(const View& contact, const PlacedConvex& member, const PlacedConvex& other, const View& support,
             double tolerance, double shallow) {
  constexpr double sameNormal = 0.9;  // of the cosine
  const Vector3 up = support.normal();
  if (support.manifold.count == 0) return false;
  const double cosine = dot(up, contact.normal());
  // On a face that is flush with the support; an edge of it would push a round side back that comes over it.
  const bool isFace = contact.manifold.width > 0. || cosine > parallel;
  if (isFace && cosine > sameNormal) return false;
  double height = dot(up, support.point(0));
  for (std::size_t k = 1; k < support.manifold.count; ++k) height = std::max(height, dot(up, support.point(k)));
  if (other.reach(up) <= height + tolerance) return true;
  if (cosine > sameNormal || support.manifold.gap() < -shallow) return false;
  for (std::size_t k = 0; k < contact.manifold.count; ++k) {
    if (dot(up, contact.point(k)) > height + tolerance) return false;
  }
  // Where they meet ahead in the step, the member is deeper by what it comes down until then.
  const double risen = (contact.isFirst ? 1. : -1.) * dot(up, contact.manifold.way);
  const double lift = std::max(0., -support.manifold.gap() - risen) + tolerance;
  return !meetsLifted(contact, member, other, up, lift, 2. * tolerance);
}

}  // namespace delassus::seams
