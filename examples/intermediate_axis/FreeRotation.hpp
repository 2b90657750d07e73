// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <numbers>

namespace delassus {

/// Free rotation of an asymmetric body in closed form: Ω(t) by Jacobi's elliptic functions, the orientation with the
/// elliptic integral of the third kind for the angle of precession about the angular momentum. (Landau and Lifshitz,
/// Mechanics, § 37.)
///
/// With L = ‖I Ω‖, 2E = Ω·IΩ and, at the instant where Ω₂ = 0, Ω = (a, 0, c),
///
///     Ω = (a cn τ, a s √(I₁(I₃ − I₁)/(I₂(I₃ − I₂))) sn τ, c dn τ),     τ = τ₀ + r t,
///     r = c √((I₃ − I₂)(I₃ − I₁)/(I₁I₂)),     k² = a² I₁(I₂ − I₁)/(c² I₃(I₃ − I₂)),     s = sign (I₃ − I₁),
///
/// where the third axis is the one that L circles in the body's frame: the axes are renamed where it is the first.
class FreeRotation {
 public:
  /// Principal moments in increasing order, all different; Ω and the orientation at t = 0. Not for Ω on a principal
  /// axis or on the separatrix, ‖I Ω‖² = I₂ Ω·IΩ.
  FreeRotation(const Vector3& moments, const Vector3& Omega, const Quaternion& orientation) {
    const Vector3 L{moments[0] * Omega[0], moments[1] * Omega[1], moments[2] * Omega[2]};
    const double square = dot(L, L), energy = dot(L, Omega);  // 2E
    renamed_ = square < energy * moments[1];
    I_ = renamed_ ? Vector3{moments[2], moments[1], moments[0]} : moments;
    const Vector3 start = named(Omega);
    momentum_ = std::sqrt(square);
    a_ = std::sqrt((energy * I_[2] - square) / (I_[0] * (I_[2] - I_[0])));
    c_ = std::copysign(std::sqrt((square - energy * I_[0]) / (I_[2] * (I_[2] - I_[0]))), start[2]);
    b_ = std::copysign(a_ * std::sqrt(I_[0] * (I_[2] - I_[0]) / (I_[1] * (I_[2] - I_[1]))), I_[2] - I_[0]);
    rate_ = c_ * std::sqrt((I_[2] - I_[1]) * (I_[2] - I_[0]) / (I_[0] * I_[1]));
    k_ = a_ / std::abs(c_) * std::sqrt(I_[0] * (I_[1] - I_[0]) / (I_[2] * (I_[2] - I_[1])));
    characteristic_ = -I_[2] * (I_[1] - I_[0]) / (I_[0] * (I_[2] - I_[1]));
    quarter_ = boost::math::ellint_1(k_);
    amplitude0_ = std::atan2(start[1] / b_, start[0] / a_);
    argument0_ = boost::math::ellint_1(k_, amplitude0_);
    integral0_ = boost::math::ellint_3(k_, characteristic_, amplitude0_);
    frame_ = rotations::product(named(orientation), rotations::conjugate(fromMomentum(0.)));
  }

  /// Ω in the body's frame.
  Vector3 angularVelocity(double t) const { return named(renamedVelocity(t)); }

  /// R, up to the sign of the quaternion.
  Quaternion orientation(double t) const {
    const Quaternion p = rotations::product(frame_, fromMomentum(t));
    return renamed_ ? rotations::product(p, rotations::conjugate(exchange)) : p;
  }

  /// Time after which Ω repeats itself.
  double period() const { return 4. * quarter_ / std::abs(rate_); }

 private:
  // (x₁, x₂, x₃) to (x₃, −x₂, x₁): half a turn about e₁ + e₃.
  static constexpr Quaternion exchange{0., std::numbers::sqrt2 / 2., 0., std::numbers::sqrt2 / 2.};

  Vector3 named(const Vector3& x) const { return renamed_ ? Vector3{x[2], -x[1], x[0]} : x; }
  Quaternion named(const Quaternion& p) const { return renamed_ ? rotations::product(p, exchange) : p; }

  Vector3 renamedVelocity(double t) const {
    double cn = 0., dn = 0.;
    const double sn = boost::math::jacobi_elliptic(k_, argument0_ + rate_ * t, &cn, &dn);
    return {a_ * cn, b_ * sn, c_ * dn};
  }

  // am τ, continuous in τ.
  double amplitude(double argument) const {
    double cn = 0., dn = 0.;
    const double sn = boost::math::jacobi_elliptic(k_, argument, &cn, &dn);
    const double within = std::atan2(sn, cn);
    constexpr double turn = 2. * std::numbers::pi;
    return within + turn * std::round(argument / (4. * quarter_) - within / turn);
  }

  // From the body's (renamed) frame to one with its third axis along the angular momentum, by Euler's angles z-x-z.
  Quaternion fromMomentum(double t) const {
    const Vector3 Omega = renamedVelocity(t);
    const double integral = boost::math::ellint_3(k_, characteristic_, amplitude(argument0_ + rate_ * t)) - integral0_;
    const double precession = momentum_ / I_[2] * (t + (I_[2] - I_[0]) / I_[0] * integral / rate_);
    const double across = std::hypot(I_[0] * Omega[0], I_[1] * Omega[1]);
    const double nutation = std::atan2(across, I_[2] * Omega[2]);
    const double spin = std::atan2(I_[0] * Omega[0], I_[1] * Omega[1]);
    using rotations::exponential;
    return rotations::product(exponential({0., 0., precession}),
                              rotations::product(exponential({nutation, 0., 0.}), exponential({0., 0., spin})));
  }

  bool renamed_;
  Vector3 I_;
  double momentum_, a_, b_, c_, rate_, k_, characteristic_, quarter_, amplitude0_, argument0_, integral0_;
  Quaternion frame_;
};

}  // namespace delassus
