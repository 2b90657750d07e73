// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/HolonomicFunction.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {

/// y = h(t, q) between rigid bodies (NewtonEulerDS), ẏ = G v + ∂h/∂t with G = C T(q): C = ∂h/∂q (outputs x 7 for each
/// body), T(q) = diag(1₃, ½ Ψ(p)) from twists to rates. q stacks the configurations (x, p) of the bodies in the order
/// of the link. ([Siconos 2017], 11.50.)
///
///     NewtonEulerR(1, automatic([=](const auto& q, auto& y) { y(0) = q(2) - radius; }))
///
/// h is given as a function of q or of (t, q), or a derived class overrides computeOutput and computeJacobian.
class NewtonEulerR : public SecondOrderR {
 public:
  /// h(q) with ∂/∂q, or h(t, q) with ∂/∂q and ∂/∂t, in this order.
  using Function = HolonomicFunction;

  /// `size` outputs; h as withJacobians(…), differenced(h) or automatic(h). Throws Error if size is 0 or h is empty.
  NewtonEulerR(std::size_t size, Function h);

  std::string_view className() const override { return "NewtonEulerR"; }
  std::size_t size() const override { return size_; }
  bool isTimeDependent() const override { return h_.dependsOnTime(); }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;
  /// Throws Error unless all systems are rigid bodies.
  void checkDimensions(std::size_t configurations, std::size_t velocities) const override;

 protected:
  /// For derived classes. Throws Error if size is 0.
  explicit NewtonEulerR(std::size_t size);

  void alongVelocities(const Matrix& byQ, const Vector& q, Matrix& G) const final;

 private:
  std::size_t size_;
  Function h_;
  MadeOnUse<Matrix> C_;
};

}  // namespace delassus
