// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/methods/NewtonMap.hpp>
#include <delassus/numerics/methods/NewtonSystem.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// The derivative of an answer λ by the data of its problem, for identification and optimisation through contacts: λ is
/// a zero of the natural map F(λ, w = W λ + q) of all sets, of which A = ∂F/∂w and B = ∂F/∂λ, so that
///
///     J dλ = −A (dq + dW λ) − ∂F/∂μ dμ,     J = A W + B.
///
/// Contacts that are open, stick or slide do so after a small change, too; what the derivative tells is how.
///
///     AnswerDerivative derivative(problem, lambda);
///     derivative.along(dq, dlambda);                 // a direction at a time; of a change of W: dq = dW λ
///     derivative.gradient(byLambda, byQ);            // of an objective of λ: all of its derivatives by q at once
///
/// The derivative of w is W dλ + dq (+ dW λ). An objective of w, too, with gradient g there, has the gradient
/// byLambda + Wᵀ g by λ, and g is added to byQ. By an entry of W it is ∂/∂W_ij = (byQ)_i λ_j.
///
/// Where J is singular, as with redundant contacts and joints, λ is not unique; W + ε D, D its scales, is then taken
/// for W (ε = 10⁻⁹). For changes that no contact need open for, which are in the range of W on the rows that bear, as
/// those of a motion are (dq = Hᵀ dv), derivatives of W λ are right to about ε, and those of λ are some; for others a
/// derivative does not exist, and numbers are of size 1/ε. (Facchinei and Pang, 2003, section 5.2.)
class AnswerDerivative {
 public:
  AnswerDerivative() = default;
  /// begin()
  AnswerDerivative(const ProblemOverSets& problem, const Vector& lambda) { begin(problem, lambda); }

  /// Takes an answer, which is to be certified (see error()): the derivative is that of the linearised problem there.
  /// Keeps the problem by address.
  /// Throws Error if λ has another size than the problem, is not finite, or W is neither a matrix nor kept by factors.
  void begin(const ProblemOverSets& problem, const Vector& lambda);

  /// ‖F‖ at the answer, as the error measure of the problem has it (ErrorMeasure::scaled), without what rounding may
  /// have changed: whether what was taken is an answer at all.
  double error() const { return error_; }
  /// Whether λ is unique near the answer: J is regular.
  bool isUnique() const { return isUnique_; }
  /// The rows at a kink (of parts whose rows a law couples, the first row), where the derivative depends on the
  /// direction, and the one that is given is that of one side: the projection in their F has another Jacobian where w
  /// changes by `distance` times the norm of q, in the scales of the rows. As of a contact that has just closed, with
  /// λ = 0 and w = 0.
  std::vector<std::size_t> kinks(double distance = 1e-7) const;

  /// dλ := −J⁻¹ A dq. Throws Error on another size.
  void along(const Vector& dq, Vector& dlambda);
  /// dλ := −J⁻¹ ∂F/∂μ dμ; dμ has an entry a part, those of parts without Coulomb's friction are 0. Throws Error on
  /// another size, or where one of these is not 0.
  void alongFriction(const Vector& dmu, Vector& dlambda);
  /// Of an objective with the gradient `byLambda` by λ: that by q, −Aᵀ J⁻ᵀ byLambda. Throws Error on another size.
  void gradient(const Vector& byLambda, Vector& byQ);
  /// The derivative of the objective of the last gradient() by the coefficient of a part, which is to have Coulomb's
  /// friction. Throws Error if it has not.
  double gradientByFriction(std::size_t part) const;

 private:
  void requireBegun() const;
  void markKinks(std::size_t part, const std::vector<double>& w, std::vector<char>& marks) const;
  template <bool transposed>
  void subtractByVelocity(const Vector& x, Vector& y) const;
  void mapByFriction(std::size_t part, double* value) const;

  const ProblemOverSets* problem_ = nullptr;
  NewtonMap map_;
  NewtonSystem system_;
  Vector lambda_;
  Vector adjoint_;  // J⁻ᵀ of the last objective
  double error_ = 0.;
  bool isUnique_ = true;
};

}  // namespace delassus::numerics
