// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <utility>

namespace delassus {

/// y = h(t, q) between Lagrangian systems, ẏ = G v + ∂h/∂t with G = ∂h/∂q: a moving obstacle. ([Siconos 2017], 10.1.3.)
class LagrangianRheonomousR : public SecondOrderR {
 public:
  /// h(t, q) with its Jacobians by q (a matrix) and by t (a vector), in this order.
  using Function = SmoothFunction<Arguments<double, Vector>, WithRespectTo<1, 0>>;

  /// `size` outputs; h as withJacobians(h, byQ, byT), differenced(h) or automatic(h). Throws Error if size is 0 or h is
  /// empty.
  LagrangianRheonomousR(std::size_t size, Function h);

  /// (t, q, v, bias); the result is zero on entry.
  using BiasFunction = std::function<void(double, const Vector&, const Vector&, Vector&)>;
  /// Gives the bias of ÿ = G v̇ + bias. Event-driven simulations are exact with it, and difference G v + ∂h/∂t without.
  void setBias(BiasFunction bias) {
    bias_ = std::move(bias);
    parametersChanged();
  }

  std::string_view className() const override { return "LagrangianRheonomousR"; }
  std::size_t size() const override { return size_; }
  bool isTimeDependent() const override { return true; }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  bool computeBias(double t, const Vector& q, const Vector& v, Vector& bias) override;
  void computeDrift(double t, const Vector& q, Vector& drift) override;

 protected:
  /// For derived classes that override computeOutput. Throws Error if size is 0.
  explicit LagrangianRheonomousR(std::size_t size);

 private:
  std::size_t size_;
  Function h_;
  BiasFunction bias_;
};

}  // namespace delassus
