// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Motion of the point of a cam under its follower: position (m), velocity (m/s) and acceleration (m/s²).
struct CamMotion {
  double position;
  double velocity;
  double acceleration;
};

/// A cam whose outline is made of circular arcs (base circle, flank, nose, top circle and their mirror images),
/// turning at constant speed. Position and velocity are continuous; the acceleration jumps where arcs meet.
class Cam {
 public:
  /// `rpm` turns a minute, `initialAngle` φ₀ in rad.
  explicit Cam(double rpm, double initialAngle = 0.);

  /// c, ċ, c̈ at time t (s).
  CamMotion at(double t) const;

  double angularSpeed() const { return angularSpeed_; }  ///< rad/s

 private:
  double angularSpeed_;
  double initialAngle_;
};
