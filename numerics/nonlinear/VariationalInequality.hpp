// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <vector>

namespace delassus::numerics {

/// Find x in C = C₁ × … × C_p such that
///
///     −(F(x) + s) in the normal cone of C at x,      that is   F(x)ᵀ(y − x) ≥ 0 for all y in C   where s = 0,
///
/// with a smooth F and the sets of a GenericMechanicalProblem, which is the same for an affine F; s is De Saxcé's shift
/// where a set has one (contacts with friction). Both sides of a row have units of their own.
///
///     VariationalInequality problem(automatic([](const auto& x, auto& F) { … }),
///                                   {Part::box(2), Part::coulomb(3, 0.3)}, lower, upper);
///
/// F is evaluated in C, by VariationalNewtonSolver also outside of it, and by differenced(F) a step beyond its bounds;
/// where a value is not finite, methods take shorter steps. Evaluations use workspace inside of F, so that one problem
/// serves one thread at a time; a copy serves another. (Facchinei and Pang, Finite-Dimensional Variational Inequalities
/// and Complementarity Problems, 2003.)
class VariationalInequality {
 public:
  /// F(x) with ∂F/∂x: automatic(F), differenced(F) or withJacobians(F, byX).
  using Function = SmoothFunction<Arguments<Vector>, WithRespectTo<0>>;

  /// `lower` and `upper` have one entry a row of the whole problem, of which those of the boxes count; empty, they are
  /// infinite. Throws Error if F is empty, there is no part, sizes do not fit or a set does not take its rows.
  VariationalInequality(Function F, std::vector<Part> parts, Vector lower = {}, Vector upper = {});

  std::size_t size() const { return lower_.size(); }         ///< of x and of F
  const std::vector<Part>& parts() const { return parts_; }  ///< in the order of their rows
  /// Bounds of x, one entry a row, of which those of boxes count.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  ///@}

  /// F(x) into `value` and its Jacobian, if wanted, into `jacobian`. False if one of them is not finite.
  ///@{
  bool evaluate(const Vector& x, Vector& value) const;
  bool evaluate(const Vector& x, Vector& value, Matrix& jacobian) const;
  ///@}

  /// Throws Error as the constructor does.
  void validate() const;
  /// There is nothing else that could change.
  void validateVectors() const {}
  /// Identifies F.
  std::uint64_t stamp() const { return stamp_; }

 private:
  Function F_;
  std::vector<Part> parts_;
  Vector lower_, upper_;
  std::uint64_t stamp_;
};

/// Find x with 0 ≤ x ⟂ F(x) ≥ 0, component by component.
class NonlinearComplementarityProblem : public VariationalInequality {
 public:
  /// With n unknowns. Throws Error if F is empty or n is 0.
  NonlinearComplementarityProblem(Function F, std::size_t n);
};

/// Find x with l ≤ x ≤ u and, component by component, F_i(x) = 0 where l_i < x_i < u_i, F_i(x) ≥ 0 where x_i = l_i and
/// F_i(x) ≤ 0 where x_i = u_i. Bounds may be infinite: a row without bounds is an equation.
class MixedComplementarityProblem : public VariationalInequality {
 public:
  /// An empty `upper` is infinite. Throws Error if F is empty, sizes do not fit, or bounds are not l ≤ u, l < ∞, u >
  /// −∞.
  MixedComplementarityProblem(Function F, Vector lower, Vector upper);
};

/// The affine problem that a variational inequality is near x, F(x) + ∂F (y − x) for y, which methods solve and by
/// whose scales errors are measured.
class Linearisation {
 public:
  /// Takes the sets of a problem; compute() does so, too.
  void begin(const VariationalInequality& problem);
  /// Linearises at x; false, with an affine problem of no use, if F or ∂F is not finite there.
  bool compute(const VariationalInequality& problem, const Vector& x);

  /// W = ∂F, q = F(x) − ∂F x.
  GenericMechanicalProblem& affine() { return affine_; }
  const GenericMechanicalProblem& affine() const { return affine_; }  ///< likewise
  /// F(x)
  const Vector& value() const { return value_; }

 private:
  GenericMechanicalProblem affine_;
  MadeFrom<std::uint64_t> statedFrom_;
  Vector value_;
  Matrix jacobian_;
};

/// The natural map of x with w = F(x), in the measure of the affine problem that F is near x (see NaturalMapError.hpp):
/// relative to ‖F(x) − ∂F x‖, the data of that problem, and with the scales that the diagonal of ∂F gives; for an
/// affine F it is the error measure of GenericMechanicalProblem. Infinite where F or ∂F is not finite. `w` is F(x). The
/// sums of the measure are certified as there; the rounding inside of F is not known to it.
/// Where F(x) − ∂F x vanishes at the solution, as it does at a root x = 0, there are no data to compare with, and no
/// relative accuracy can be had: move the origin of x then. Allocates.
double errorOf(const VariationalInequality& problem, ErrorMeasure measure, const Vector& x, Vector& w,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
