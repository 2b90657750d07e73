// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/Motion.hpp>
#include <delassus/kernel/relations/joints/JointR.hpp>
#include <optional>

namespace delassus {

/// One output of a coordinate c(q) that a joint leaves free (JointAngleR, JointDisplacementR, JointDistanceR),
///
///     y = a c(q) + b − s f(t),     ẏ = a G v − s ḟ(t),
///
/// where a = 1, b = s = 0 until the members below change them. They give changed copies, for
///
///     NewtonImpactNSL(e)      angle.above(lower), angle.below(upper)      limits, with restitution
///     RelayNSL(1, −τ, τ)      angle                                       dry friction, τ a moment or a force
///     EqualityConditionNSL()  angle.following(Motion(f, rate))            a drive; λ(0) is what it needs
///
/// The multiplier acts on the first body along the coordinate (times a), and on the second in the opposite direction.
class JointCoordinateR : public JointR {
 public:
  bool isTimeDependent() const final { return motion_.has_value(); }
  bool isCoordinate() const final { return true; }
  void computeDrift(double t, const Vector& q, Vector& drift) final;

  Settings settings() const override;

  /// c(q), before scale, shift and motion.
  virtual double coordinate(double t, const JointKinematics& joint) = 0;

 protected:
  /// Between frames in the first body, and in the second or the world.
  JointCoordinateR(const JointFrame& first, const JointFrame& second) : JointR(1, first, second) {}

  /// y to factor · y, or to y + shift. Each throws Error if the number is not finite (or the factor zero).
  ///@{
  void scale(double factor);
  void shift(double by);
  ///@}
  /// y to y − f(t). Throws Error if there is a motion already.
  void follow(const Motion& motion);

 private:
  virtual JointRow coordinateRow(const JointKinematics& joint) const = 0;
  void findOutputs(double t, const JointKinematics& joint, double* y) final;
  void findRows(const JointKinematics& joint, JointRow* rows) const final;
  Misfit misfit(double t, const JointKinematics& joint) final;

  double factor_ = 1.;
  double shift_ = 0.;
  double motionFactor_ = 0.;
  std::optional<Motion> motion_;
};

/// The members of a coordinate that return changed copies of it.
template <class Coordinate>
class ChangeableCoordinate : public JointCoordinateR {
 public:
  /// a · y. Throws Error if a is zero or not finite.
  Coordinate times(double a) const {
    Coordinate changed = self();
    changed.scale(a);
    return changed;
  }
  /// y + b. Throws Error if b is not finite.
  Coordinate plus(double b) const {
    Coordinate changed = self();
    changed.shift(b);
    return changed;
  }
  /// y − lower, not negative within the limit.
  Coordinate above(double lower) const { return plus(-lower); }
  /// upper − y, not negative within the limit.
  Coordinate below(double upper) const { return times(-1.).plus(upper); }
  /// y − f(t), f a Motion, or a function in one of the three words of which it can be made. With
  /// EqualityConditionNSL it must be zero at the start; a limit that moves may be open. Throws Error if a motion is
  /// followed already.
  template <class F>
  Coordinate following(const F& f) const {
    Coordinate changed = self();
    changed.follow(detail::motionOf(f));
    return changed;
  }

 protected:
  /// From two frames.
  using JointCoordinateR::JointCoordinateR;

 private:
  const Coordinate& self() const { return static_cast<const Coordinate&>(*this); }
};

}  // namespace delassus
