// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// A point and three directions fixed in a body (or in the world): one side of a joint. The first direction is the axis
/// of the joint; where the joint has an angle, it is counted from the second one.
class JointFrame {
 public:
  /// With the directions of the body. Each constructor throws Error if a number is not finite.
  explicit JointFrame(const Vector3& anchor);
  /// With an axis of any length; the other directions are chosen arbitrarily across it. Throws Error also if the axis
  /// is zero.
  JointFrame(const Vector3& anchor, const Vector3& axis);
  /// With the second direction in the half plane of axis and reference. Throws Error also if they are parallel.
  JointFrame(const Vector3& anchor, const Vector3& axis, const Vector3& reference);

  const Vector3& anchor() const { return anchor_; }  ///< m
  const Matrix3& axes() const { return axes_; }      ///< orthonormal, right-handed, by columns
  Vector3 axis() const { return column(axes_, 0); }  ///< the first of axes()
  /// The rotation of axes().
  const Quaternion& orientation() const { return orientation_; }

  /// A frame given in the inertial frame, expressed in the frame of a body with the configuration q = (x, p). Throws
  /// Error unless q has 7 numbers with a unit quaternion.
  JointFrame seenFrom(const Vector& q) const;

 private:
  void setAxes(const Matrix3& axes);

  Vector3 anchor_;
  Matrix3 axes_;
  Quaternion orientation_;
};

}  // namespace delassus
