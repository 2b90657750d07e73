// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <utility>

namespace delassus {

/// y = h(q) between Lagrangian systems, G = ∂h/∂q. ([Siconos 2017], 10.1.4.)
///
///     LagrangianScleronomousR(1, automatic([=](const auto& q, auto& y) { using std::cos; y(0) = 1. - cos(q(0)); }))
///
/// With a law of friction rows come as the law has them, contact after contact: the gap first, then one or two places
/// along the surface, whose gradients are the tangential rows (their values mean nothing). Nothing can tell a tangent
/// in the place of the gap, which is a wall instead of a floor, from what is meant.
///
/// q stacks the coordinates of the linked systems. h and G are functions (or, in a derived class, overrides);
/// results are zero on entry.
class LagrangianScleronomousR : public SecondOrderR {
 public:
  /// h(q) with G = ∂h/∂q.
  using Function = SmoothFunction<Arguments<Vector>, WithRespectTo<0>>;

  /// `size` outputs; h as withJacobians(h, G), differenced(h) or automatic(h). Throws Error if size is 0 or h is empty.
  LagrangianScleronomousR(std::size_t size, Function h);

  /// (q, v, bias); the result is zero on entry.
  using BiasFunction = std::function<void(const Vector&, const Vector&, Vector&)>;
  /// Gives the bias of ÿ = G v̇ + bias. Event-driven simulations are exact with it, and difference G v without.
  void setBias(BiasFunction bias) {
    bias_ = std::move(bias);
    parametersChanged();
  }

  std::string_view className() const override { return "LagrangianScleronomousR"; }
  std::size_t size() const override { return size_; }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  bool computeBias(double t, const Vector& q, const Vector& v, Vector& bias) override;

 protected:
  /// For derived classes that override computeOutput. Throws Error if size is 0.
  explicit LagrangianScleronomousR(std::size_t size);

 private:
  std::size_t size_;
  Function h_;
  BiasFunction bias_;
};

}  // namespace delassus
