// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/Motion.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {

/// A boundary condition on one degree of freedom of the systems that are linked, for EqualityConditionNSL; λ(0) is the
/// force or moment it needs. (Or with RelayNSL: a drive of limited force; or NewtonImpactNSL: a moving stop.)
///
///     PrescribedMotionR::ofPosition(i, f)     y = q_i − f(t),  ẏ = v_i − ḟ(t)
///     PrescribedMotionR::ofVelocity(i, w)     ẏ = v_i − w(t),  y = 0
///
/// Of a Lagrangian system i is any coordinate. Of a rigid body (NewtonEulerDS), whose velocity is the twist (v, Ω), the
/// position is prescribed for i < 3 and the velocity for i < 6: i = 3, 4, 5 are the components of Ω in the body's
/// frame. A rotation by f(t) about a given axis is that of a pivot (JointAngleR::following).
class PrescribedMotionR final : public SecondOrderR {
 public:
  /// y = q_i − f(t), f a Motion, or a function in one of the three words of which it can be made. Linking the
  /// interaction checks that component i exists.
  template <class F>
  static PrescribedMotionR ofPosition(std::size_t i, const F& f) {
    return {i, detail::motionOf(f), true};
  }
  /// ẏ = v_i − w(t), of which no rate is needed. Throws Error if w is empty.
  ///@{
  static PrescribedMotionR ofVelocity(std::size_t i, const Motion::Function& w) { return {i, Motion(w), false}; }
  static PrescribedMotionR ofVelocity(std::size_t i, const Motion& w) { return {i, w, false}; }
  template <detail::Differentiated F>
  static PrescribedMotionR ofVelocity(std::size_t i, const F& w) {
    return {i, Motion(w), false};
  }
  ///@}

  std::string_view className() const override { return "PrescribedMotionR"; }
  std::size_t size() const override { return 1; }
  bool isTimeDependent() const override { return true; }
  Settings settings() const override;
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;
  /// Throws Error if there is no such component.
  void checkDimensions(std::size_t configurations, std::size_t velocities) const override;
  bool isCoordinate() const override { return true; }
  /// Throws Error if a position is not the prescribed one to 1e-6 of its size. Asked for equalities alone.
  void checkConfiguration(double t, const Vector& q, const std::string& label) override;
  void checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                      const std::string& label) override;

 private:
  PrescribedMotionR(std::size_t component, const Motion& motion, bool ofPosition)
      : component_(component), motion_(motion), ofPosition_(ofPosition) {}

  std::size_t component_;
  Motion motion_;  // false: its rate alone
  bool ofPosition_;
};

}  // namespace delassus
