// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>

namespace delassus {

/// y = h(q, λ) between Lagrangian systems, with λ a force and ∂h/∂λ positive semidefinite: a contact that
/// gives way. For h = g(q) + λ/k the contact is a spring of stiffness k that acts where the gap g is negative.
///
/// Such a relation has relative degree 0 where ∂h/∂λ is regular ([Siconos 2017], 8.1.2): there is no impact, and the
/// law is imposed on y itself. A law with restitution is refused. ([Siconos, event capturing].)
class LagrangianCompliantR : public SecondOrderR {
 public:
  /// h(q, λ) with its Jacobians by q and by λ, in this order.
  using Function = SmoothFunction<Arguments<Vector, Vector>, WithRespectTo<0, 1>>;

  /// `size` outputs; h as withJacobians(h, byQ, byLambda), differenced(h) or automatic(h). Throws Error if
  /// size is 0 or h is empty.
  LagrangianCompliantR(std::size_t size, Function h);

  std::string_view className() const override { return "LagrangianCompliantR"; }
  std::size_t size() const override { return size_; }
  bool isCompliant() const override { return true; }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D) override;

 protected:
  /// For derived classes that override computeOutput. Throws Error if size is 0.
  explicit LagrangianCompliantR(std::size_t size);

 private:
  std::size_t size_;
  Function h_;
};

}  // namespace delassus
