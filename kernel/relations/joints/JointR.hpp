// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <delassus/kernel/relations/joints/JointFrame.hpp>
#include <delassus/kernel/relations/joints/JointKinematics.hpp>

namespace delassus {

/// A joint between two rigid bodies, or between a body and the world: equations between a frame fixed in the first body
/// and one fixed in the second (or in the inertial frame, where one body is linked), for EqualityConditionNSL of the
/// same size.
///
///     const PivotJointR hinge = PivotJointR::at(anchor, axis, crank->q(), rod->q());
///     model.link(std::make_shared<Interaction>(EqualityConditionNSL(5), hinge), crank, rod);
///
/// Multipliers are the reactions on the first body, in the directions of the outputs: forces at its anchor, N, and
/// moments, N m (λ(0)), or their impulses (λ(1)). The Jacobian on twists is exact and computed without heap allocation.
///
/// Schemes impose ẏ = 0, so that y drifts in proportion to h² or a higher power (docs/joints.md). At the start y must
/// be zero: a joint whose frames do not fit the configurations is refused when the model is first bound. (Géradin and
/// Cardona, Flexible Multibody Dynamics, 2001, chapter 7; Haug, Computer Aided Kinematics and Dynamics, 1989.)
class JointR : public NewtonEulerR {
 public:
  static constexpr double defaultTolerance = 1e-6;  ///< m and rad, see setTolerance
  static constexpr std::size_t maxRows = 6;         ///< the largest of any joint, so that rows need no heap

  const JointFrame& first() const { return first_; }    ///< frame in the first body
  const JointFrame& second() const { return second_; }  ///< frame in the second body, or in the world

  /// Distance, m, and angle, rad, by which the frames may differ at the start. Throws Error unless it is positive and
  /// finite.
  void setTolerance(double tolerance);
  double tolerance() const { return tolerance_; }  ///< m and rad

  Settings settings() const override;

  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  /// Throws Error unless one or two rigid bodies are linked.
  void checkDimensions(std::size_t configurations, std::size_t velocities) const override;
  /// Throws Error if the frames differ by more than the tolerance.
  void checkConfiguration(double t, const Vector& q, const std::string& label) override;

 protected:
  /// How far the frames are from satisfying the joint.
  struct Misfit {
    double distance = 0.;  ///< m
    double angle = 0.;     ///< rad
    /// What the user can do about it, a sentence.
    const char* advice = "Correct the frames or the configurations, or make the joint with at().";
  };

  /// `size` rows, at most maxRows, between frames in the first body, and in the second or the world.
  JointR(std::size_t size, const JointFrame& first, const JointFrame& second);

  /// Both frames placed at q, the stacked configurations; the second in the world where q is of one body.
  JointKinematics kinematics(const Vector& q) const;

 private:
  virtual void findOutputs(double t, const JointKinematics& joint, double* y) = 0;
  virtual void findRows(const JointKinematics& joint, JointRow* rows) const = 0;
  virtual Misfit misfit(double t, const JointKinematics& joint) = 0;

  JointFrame first_, second_;
  double tolerance_ = defaultTolerance;
};

}  // namespace delassus
