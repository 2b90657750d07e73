// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <variant>

namespace delassus {

/// A ball about the centre of mass.
class SphereShape {
 public:
  /// Radius, m. Throws Error unless it is positive and finite.
  explicit SphereShape(double radius);
  double radius() const { return radius_; }  ///< m

 private:
  double radius_;
};

/// A box about the centre of mass, its edges along the axes of the body's frame.
class BoxShape {
 public:
  /// Lengths of the edges, m. Throws Error unless they are positive and finite.
  BoxShape(double lx, double ly, double lz);
  const Vector3& halfEdges() const { return halfEdges_; }  ///< half the lengths of the edges, m

 private:
  Vector3 halfEdges_;
};

/// A shape that collides; a Plane (whose free side is where its normal points) can only be an obstacle at rest.
using Shape = std::variant<SphereShape, BoxShape, Plane>;

/// Where a shape is: x = position + rotation · (coordinates in the shape's frame).
struct Placement {
  Vector3 position{};                                    ///< of the shape's origin, in the inertial frame, m
  Matrix3 rotation{1., 0., 0., 0., 1., 0., 0., 0., 1.};  ///< from the shape's frame to the inertial one
};

/// A box with edges along the axes of the inertial frame.
struct Bounds {
  Vector3 lower{};  ///< its least coordinates, m
  Vector3 upper{};  ///< its largest coordinates, m

  /// True if the boxes have a point in common; touching is enough.
  bool overlaps(const Bounds& other) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (lower[k] > other.upper[k] || other.lower[k] > upper[k]) return false;
    }
    return true;
  }
  /// True if no part of the other box is outside.
  bool contains(const Bounds& other) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (other.lower[k] < lower[k] || other.upper[k] > upper[k]) return false;
    }
    return true;
  }
  /// Extended by `distance` on all sides.
  void inflate(double distance);
  /// Extended by a displacement, in its direction.
  void sweep(const Vector3& displacement);
};

/// Where the surface of a box is nearest to a point.
struct SurfaceFoot {
  Vector3 point{};       ///< on the surface, m
  Vector3 normal{};      ///< unit, from there to the point outside, or outwards if that is inside or on the surface
  double distance = 0.;  ///< m, negative inside
};
/// The foot of a point in the box's frame. A point inside leaves through the nearest face.
SurfaceFoot footOn(const Bounds& box, const Vector3& from);

/// The smallest bounds of the shape; those of a plane are infinite.
Bounds boundsOf(const Shape& shape, const Placement& placement);

/// Largest distance from the origin to a point of the shape that spin moves; 0 for a ball, whose surface does not move
/// when it spins, and for a plane.
double spinRadius(const Shape& shape);

/// Class and sizes.
Settings settingsOf(const Shape& shape);

/// A typical length of the shape; 0 for a plane.
double sizeOf(const Shape& shape);

}  // namespace delassus
