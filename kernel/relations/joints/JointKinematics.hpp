// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointFrame.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>

namespace delassus {

/// How the rate of one output of a joint follows the velocities: ẏ = f · v₁ + m₁ · ω₁ − f · v₂ − m₂ · ω₂, all in the
/// inertial frame, v_i of the centres of mass. (f, m₁) is also the wrench of a unit multiplier on the first body, and
/// −(f, m₂) that on the second.
struct JointRow {
  // Not initialised: arrays of rows are made in every step.
  Vector3 force;         ///< f
  Vector3 firstMoment;   ///< m₁, about the centre of mass of the first body
  Vector3 secondMoment;  ///< m₂, about that of the second
};

/// The frames of a joint in the inertial frame, and the groups of equations that make up joints. P_i are the anchors,
/// (d_i, e_i, n_i) the directions, i = 1, 2. Each group has outputs and rows, their exact derivatives.
struct JointKinematics {
  /// One of the two bodies (or the world), placed in the inertial frame: all vectors except `own` are given in it.
  struct Side {
    Vector3 centre;  ///< of mass
    Quaternion p;    ///< the body's orientation,
    Matrix3 R;       ///< as a matrix too
    Vector3 arm;     ///< from the centre to the anchor
    Matrix3 axes;    ///< (d, e, n)
    Quaternion own;  ///< orientation of the frame in the body
  };
  Side first;   ///< i = 1
  Side second;  ///< i = 2

  /// A frame of the body in the configuration q = (x, p), 7 numbers; of the world for null.
  static void place(const JointFrame& frame, const double* q, Side& side);

  Vector3 offset() const;  ///< P₁ − P₂

  /// (d₂, e₂, n₂) · (P₁ − P₂): three outputs, which do not change where both bodies turn together.
  ///@{
  void coincidence(double* y) const;
  void coincidence(JointRow* rows) const;
  ///@}
  /// Coordinates e₂ · (P₁ − P₂), n₂ · (P₁ − P₂): two outputs, zero where P₁ is on the axis of the second frame.
  ///@{
  void guidance(double* y) const;
  void guidance(JointRow* rows) const;
  ///@}
  /// d₂ · (P₁ − P₂): the displacement along the axis.
  ///@{
  double displacement() const;
  JointRow displacementRow() const;
  ///@}
  /// e₁ · d₂, n₁ · d₂: two outputs, zero where the axes are parallel.
  ///@{
  void alignment(double* y) const;
  void alignment(JointRow* rows) const;
  ///@}
  /// Twice the vector part of the quaternion that takes the second directions to the first: three outputs.
  ///@{
  void orientation(double* y) const;
  void orientation(JointRow* rows) const;
  ///@}
  /// Angle from e₂ to e₁ about the axis d₂, in (−π, π].
  ///@{
  double angle() const;
  JointRow angleRow() const;
  ///@}

  double distanceFromAxis() const;  ///< of P₁ from the axis of the second frame, m
  double tilt() const;              ///< angle between the axes, rad
  double turn() const;              ///< angle of the rotation from the one frame to the other, rad

 private:
  JointRow along(const Vector3& direction) const;
  Quaternion relative() const;
};

}  // namespace delassus
