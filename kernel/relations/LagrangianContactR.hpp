// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/functions/HolonomicFunction.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <functional>
#include <type_traits>
#include <utility>

namespace delassus {

/// Contact with friction between Lagrangian systems, or with an obstacle, in their own coordinates: the gap h(t, q) and
/// the local velocity
///
///     u_N = ∂h/∂q v + ∂h/∂t,      u_T = T(t, q) v + w(t, q),
///
/// with one tangential row T a contact in two dimensions and two in three, for NewtonImpactFrictionNSL. T v is the
/// velocity of the first body's material point at the contact relative to that of the second, in orthonormal tangential
/// directions; it need not be the derivative of any output. w is the drift of an obstacle that moves along the surface,
/// −(its tangential velocity): a belt. Outputs are the gap and zeros.
///
///     // The tip (x + l sin φ, y − l cos φ) of a rod, above y = 0.
///     LagrangianContactR(2, automatic([=](const auto& q, auto& h) { using std::cos; h(0) = q(1) - l * cos(q(2)); }),
///                        [=](double, const Vector& q, Matrix& T) { T(0, 0) = 1.; T(0, 2) = l * std::cos(q(2)); })
///
/// h must be a distance, or nearly: friction is μ times the impulse along ∂h/∂q. A relation of k contacts has k gaps
/// with their tangential rows, contact after contact. (Where T is the gradient of a tangential place s(q),
/// LagrangianScleronomousR of (h, s) is the same, and checks it.)
class LagrangianContactR final : public SecondOrderR {
 public:
  /// h(q) with ∂/∂q, or h(t, q) with ∂/∂q and ∂/∂t, in this order.
  using Function = HolonomicFunction;
  /// T(t, q), tangential rows x coordinates; zero on entry.
  using Tangents = std::function<void(double t, const Vector& q, Matrix& rows)>;
  /// w(t, q), one number a tangential row; zero on entry.
  using TangentialDrift = std::function<void(double t, const Vector& q, Vector& drift)>;

  /// Without friction: one row a contact, for NewtonImpactNSL. Throws Error if there is no contact or h is empty.
  explicit LagrangianContactR(Function gap, std::size_t contacts = 1);
  /// `dimension` rows a contact. Throws Error also if that is not 2 or 3, or T is empty.
  template <class T>
  LagrangianContactR(std::size_t dimension, Function gap, T tangents, std::size_t contacts = 1)
      : LagrangianContactR(std::move(gap), contacts) {
    static_assert(std::is_convertible_v<T, Tangents>,
                  "expected the tangential rows T(t, q) as a function (double t, const Vector& q, Matrix& rows)");
    if constexpr (std::is_convertible_v<T, Tangents>) setTangents(dimension, std::move(tangents));
  }

  /// Throws Error if w is empty or there are no tangential rows.
  LagrangianContactR& setTangentialDrift(TangentialDrift drift);

  std::size_t dimension() const { return dimension_; }  ///< rows a contact; 1 without friction
  std::size_t contacts() const { return contacts_; }    ///< number of contacts

  std::string_view className() const override { return "LagrangianContactR"; }
  std::size_t size() const override { return contacts_ * dimension_; }
  bool isTimeDependent() const override { return gap_.dependsOnTime() || tangentialDrift_; }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;
  /// Checks the rows of the gaps; the others are not derivatives of an output.
  void checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                      const std::string& label) override;

 private:
  void setTangents(std::size_t dimension, Tangents tangents);
  void computeGaps(double t, const Vector& q, Vector& gaps) const;
  void computeGapJacobian(double t, const Vector& q, Matrix& byQ) const;

  std::size_t dimension_ = 1;
  std::size_t contacts_;
  Function gap_;
  Tangents tangents_;
  TangentialDrift tangentialDrift_;
  Vector normal_, tangential_;
  Matrix normalRows_, tangentialRows_;
};

}  // namespace delassus
