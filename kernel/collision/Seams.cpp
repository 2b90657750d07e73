// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Seams.hpp>

#include <algorithm>
#include <cmath>

namespace delassus::seams {
namespace {

constexpr double parallel = 1. - 1e-6;  // of the cosine

// A place at an edge of a face, in the inertial frame.
struct Rim {
  Vector3 point;
  Vector3 normal;   // of the face
  Vector3 outward;  // of the box, in the face
  double tolerance, joint;
};

struct Continues {
  const Rim& rim;
  const Placement& place;

  bool operator()(const Plane& plane) const {
    return dot(plane.normal, rim.normal) > parallel &&
           std::abs(dot(plane.normal, rim.point) - plane.offset) <= rim.tolerance;
  }
  bool operator()(const BoxShape& box) const {
    const Vector3& half = box.halfEdges();
    const Vector3 point = multiplyTransposed(place.rotation, rim.point - place.position);
    const Vector3 normal = multiplyTransposed(place.rotation, rim.normal);
    const Vector3 outward = multiplyTransposed(place.rotation, rim.outward);
    bool isFlush = false;
    double reach = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
      reach += half[k] * std::abs(outward[k]);
      const bool isAcross = std::abs(normal[k]) > parallel;
      if (isAcross) isFlush = std::abs(std::copysign(1., normal[k]) * point[k] - half[k]) <= rim.tolerance;
      if (!isAcross && std::abs(point[k]) > half[k] + rim.joint) return false;
    }
    return isFlush && reach > dot(outward, point) + rim.tolerance;
  }
  bool operator()(const SphereShape&) const { return false; }
};

}  // namespace

Sides continuedSides(const BoxShape& box, const Placement& place, const Vector3& onBox, const Vector3& normal,
                     const Shape& other, const Placement& otherPlace, double tolerance, double joint) {
  const Vector3& half = box.halfEdges();
  const Vector3 foot = multiplyTransposed(place.rotation, onBox - place.position);
  const Vector3 outwards = multiplyTransposed(place.rotation, normal);
  Sides sides = 0;
  for (std::size_t face = 0; face < 3; ++face) {
    if (std::abs(outwards[face]) < 1e-9) continue;  // the foot does not lie on this face
    const Vector3 faceNormal = std::copysign(1., outwards[face]) * column(place.rotation, face);
    for (std::size_t bit = 0; bit < 6; ++bit) {
      const std::size_t axis = bit / 2;
      if (axis == face) continue;
      const double side = bit % 2 == 0 ? -1. : 1.;
      Vector3 end = foot;
      end[axis] = side * half[axis];
      const Rim rim{place.position + multiply(place.rotation, end), faceNormal, side * column(place.rotation, axis),
                    tolerance, joint};
      if (std::visit(Continues{rim, otherPlace}, other)) sides = static_cast<Sides>(sides | 1u << bit);
    }
  }
  return sides;
}

bool isBelow(const View& contact, const View& support, double tolerance) {
  constexpr double sameNormal = 0.9;  // of the cosine: such a contact supports, too
  const Vector3 up = support.normal();
  if (support.manifold.count == 0 || dot(up, contact.normal()) > sameNormal) return false;
  double height = dot(up, support.point(0));
  for (std::size_t k = 1; k < support.manifold.count; ++k) height = std::max(height, dot(up, support.point(k)));
  for (std::size_t k = 0; k < contact.manifold.count; ++k) {
    if (dot(up, contact.point(k)) > height + tolerance) return false;
  }
  return true;
}

}  // namespace delassus::seams
