// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/Rotation.hpp>

namespace delassus {

/// Where a shape is: x = position + rotation · (coordinates in the shape's frame).
struct Placement {
  Vector3 position{};                                    ///< of the shape's origin, m
  Matrix3 rotation{1., 0., 0., 0., 1., 0., 0., 0., 1.};  ///< from the shape's frame to the outer one

  /// With the orientation as a quaternion, which is normalised. Throws Error if that is zero, or a number not finite.
  static Placement at(const Vector3& x, const Quaternion& p = {1., 0., 0., 0.});

  /// The point in the outer frame.
  Vector3 place(const Vector3& local) const { return position + multiply(rotation, local); }
  /// The point in the shape's frame.
  Vector3 local(const Vector3& point) const { return multiplyTransposed(rotation, point - position); }
  /// Where something is in the outer frame whose placement in the shape's frame is `inner`.
  Placement place(const Placement& inner) const { return {place(inner.position), multiply(rotation, inner.rotation)}; }
  /// Whether the shape's frame is the outer one.
  bool isIdentity() const { return position == Vector3{} && rotation == Placement{}.rotation; }
};

/// A box with edges along the axes of the frame.
struct Bounds {
  Vector3 lower{};  ///< its least coordinates, m
  Vector3 upper{};  ///< its largest coordinates, m

  /// About a centre, this far to each side.
  static Bounds about(const Vector3& centre, const Vector3& extents) { return {centre - extents, centre + extents}; }

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
  /// The least n · x of its points, m, for a unit vector n.
  double lowest(const Vector3& n) const {
    double sum = 0.;
    for (std::size_t k = 0; k < 3; ++k) sum += n[k] * (n[k] > 0. ? lower[k] : upper[k]);
    return sum;
  }
  /// Extended by `distance` on all sides.
  void inflate(double distance);
  /// Extended by a displacement, in its direction.
  void sweep(const Vector3& displacement);
  /// Extended so that it contains the other box.
  void add(const Bounds& other);
};

}  // namespace delassus
