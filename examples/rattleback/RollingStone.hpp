// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/numerics/StateArchive.hpp>

namespace delassus {

/// A stone with the lower half of an ellipsoid as its surface, whose principal axes of inertia are turned against those
/// of the surface. By default that of Kane and Levinson (Int. J. Non-Linear Mechanics 17, 1982).
struct RattlebackParameters {
  Vector3 half{0.2, 0.03, 0.02};  ///< half axes of the ellipsoid, m
  double below = 0.01;            ///< how far the centre of mass is below the centre of the ellipsoid, m
  double mass = 1.;               ///< kg
  double gravity = 9.81;          ///< m/s²
  Matrix3 inertia{0.0002, -0.00002, 0., -0.00002, 0.0016, 0., 0., 0., 0.0017};  ///< kg m²
  double spin = -5.;                                                            ///< about the vertical at t = 0, rad/s
  double tilt = 0.5;                                                            ///< about both axes at t = 0, degrees
};

/// The stone as it rolls on a plane without slip, in its own frame: with the vertical n, the contact at r(n) from the
/// centre of mass and v = −ω × r,
///
///     ṅ = n × ω,    (I + m (r² 1 − r rᵀ)) ω̇ = −ω × Iω + m r × (ω × v − ω × ṙ) + m g r × n.
///
/// It shares no code with the library but vectors of three.
class RollingStone {
 public:
  RollingStone(const RattlebackParameters& parameters, const Vector3& vertical, const Vector3& omega)
      : p_(&parameters), n_(vertical), omega_(omega) {}

  const Vector3& omega() const { return omega_; }  ///< in the frame of the stone, rad/s
  /// From the centre of mass to the contact, in the frame of the stone, m.
  Vector3 contact() const { return contact(n_); }

  void serializeState(StateArchive& archive) {
    archive.values("vertical", n_.data(), n_.size());
    archive.values("omega", omega_.data(), omega_.size());
  }

  /// A step by the method of Runge and Kutta of order 4.
  void advance(double h) {
    const Rate a = rate(n_, omega_), b = rate(n_ + 0.5 * h * a.n, omega_ + 0.5 * h * a.omega);
    const Rate c = rate(n_ + 0.5 * h * b.n, omega_ + 0.5 * h * b.omega);
    const Rate d = rate(n_ + h * c.n, omega_ + h * c.omega);
    n_ += h / 6. * (a.n + 2. * b.n + 2. * c.n + d.n);
    omega_ += h / 6. * (a.omega + 2. * b.omega + 2. * c.omega + d.omega);
  }

 private:
  struct Rate {
    Vector3 n, omega;
  };

  Vector3 contact(const Vector3& up) const {
    const Vector3& half = p_->half;
    const Vector3 scaled{half[0] * up[0], half[1] * up[1], half[2] * up[2]};
    const double length = norm(scaled);
    return {-half[0] * scaled[0] / length, -half[1] * scaled[1] / length, p_->below - half[2] * scaled[2] / length};
  }

  Rate rate(const Vector3& n, const Vector3& omega) const {
    constexpr double step = 1e-6;  // of the difference that has ṙ
    const Vector3 turning = cross(n, omega), r = contact(n), v = -cross(omega, r);
    const Vector3 moving = 0.5 / step * (contact(n + step * turning) - contact(n - step * turning));
    const double m = p_->mass;
    const Vector3 moment = -cross(omega, multiply(p_->inertia, omega)) +
                           m * cross(r, cross(omega, v) - cross(omega, moving)) + m * p_->gravity * cross(r, n);
    Matrix3 about = p_->inertia;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) about[i + 3 * j] += m * ((i == j ? dot(r, r) : 0.) - r[i] * r[j]);
    }
    const Vector3 a = column(about, 0), b = column(about, 1), c = column(about, 2);
    const Vector3 byCramer{dot(moment, cross(b, c)), dot(a, cross(moment, c)), dot(a, cross(b, moment))};
    return {turning, 1. / dot(a, cross(b, c)) * byCramer};
  }

  const RattlebackParameters* p_;
  Vector3 n_, omega_;
};

}  // namespace delassus
