// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

/// Motion of the point of a cam under its follower: position (m), velocity (m/s) and acceleration (m/s²).
struct CamMotion {
  double position;
  double velocity;
  double acceleration;
};

/// A motion that stands for the built-in one.
struct CamFunctions {
  std::function<CamMotion(double t)> motion;
  std::function<std::vector<double>(double t0, double t1)> junctions;
};

/// A cam whose outline is made of circular arcs (base circle, flank, nose, top circle and their mirror images),
/// turning at constant speed. Position and velocity are continuous; the acceleration jumps where arcs meet.
class Cam {
 public:
  /// `rpm` turns a minute, `initialAngle` φ₀ in rad.
  explicit Cam(double rpm, double initialAngle = 0.);
  /// With functions of motion and junctions in place of those of the arcs.
  Cam(double rpm, double initialAngle, CamFunctions functions);

  /// c, ċ, c̈ at time t (s).
  CamMotion at(double t) const;

  /// The instants in (t0, t1) at which arcs meet under the follower, so that c̈ jumps: six a turn, in order, exact to
  /// rounding. None if the cam stands.
  std::vector<double> junctions(double t0, double t1) const;

  /// The angle that the cam has turned at t since the end of the base circle was under the follower, in [0, 2π).
  double phase(double t) const;
  double turn() const;                                   ///< duration of a turn, s; infinite if the cam stands
  double angularSpeed() const { return angularSpeed_; }  ///< rad/s

 private:
  double angularSpeed_;
  double initialAngle_;
  CamFunctions functions_;
};
