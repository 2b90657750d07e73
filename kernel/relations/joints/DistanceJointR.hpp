// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/joints/JointDistanceR.hpp>
#include <delassus/kernel/relations/joints/JointR.hpp>

namespace delassus {

/// A massless rod of length L with a ball at each end,
///
///     y = (‖P₁ − P₂‖² − L²) / (2 L) = 0,
///
/// which is ‖P₁ − P₂‖ − L to first order and smooth everywhere. One row: the force along the rod, positive where it
/// pushes. A rope or a strut, which holds in one direction, is no equation but a limit of its coordinate, for
/// NewtonImpactNSL:
///
///     DistanceJointR::at(hook, load, body->q()).below(2.)      at most 2 m: a rope, slack at the start or not
///     DistanceJointR::at(hook, load, body->q()).above(1.)      at least 1 m
class DistanceJointR final : public JointR {
 public:
  /// Between anchors in the first body, and in the second or the world. Throws Error unless the length is positive and
  /// finite, and the anchors are finite.
  DistanceJointR(const Vector3& first, const Vector3& second, double length);
  /// From anchors in the inertial frame, where the bodies are in these configurations (NewtonEulerDS::q()); their
  /// distance is the length. Throws Error if it is zero.
  ///@{
  static DistanceJointR at(const Vector3& firstAnchor, const Vector3& secondAnchor, const Vector& first);
  static DistanceJointR at(const Vector3& firstAnchor, const Vector3& secondAnchor, const Vector& first,
                           const Vector& second);
  ///@}

  double length() const { return length_; }  ///< L, m

  /// The distance of the anchors, whatever L is.
  JointDistanceR distance() const { return JointDistanceR(first(), second()); }
  /// ‖P₁ − P₂‖ − L: of a spring with the rest length L.
  JointDistanceR extension() const { return distance().plus(-length_); }
  /// longest − ‖P₁ − P₂‖ and ‖P₁ − P₂‖ − shortest, not negative within the limit. Throw Error if it is not finite.
  ///@{
  JointDistanceR below(double longest) const { return distance().below(longest); }
  JointDistanceR above(double shortest) const { return distance().above(shortest); }
  ///@}

  Settings settings() const override;
  std::string_view className() const override { return "DistanceJointR"; }

 private:
  void findOutputs(double t, const JointKinematics& joint, double* y) override;
  void findRows(const JointKinematics& joint, JointRow* rows) const override;
  Misfit misfit(double t, const JointKinematics& joint) override;

  double length_;
};

}  // namespace delassus
