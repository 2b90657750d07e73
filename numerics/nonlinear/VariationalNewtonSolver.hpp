// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/NewtonMap.hpp>
#include <delassus/numerics/methods/ProductOfSets.hpp>
#include <delassus/numerics/methods/SemismoothNewtonSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/nonlinear/VariationalInequalitySolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of VariationalNewtonSolver and JosephyNewtonSolver.
struct VariationalNewtonOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 200, range::positive, "Newton steps, failed ones among them"))
};

/// What both Newton methods for variational inequalities share: the iteration of SemismoothNewtonSolver on the natural
/// map of x, F linearised at each point. The scales of the map are those of the start.
class LinearisingNewtonSolver : public SemismoothNewtonSolver<VariationalInequality, VariationalNewtonOptions> {
 protected:
  using SemismoothNewtonSolver::SemismoothNewtonSolver;

  /// The affine problem at the last point.
  GenericMechanicalProblem& affine() { return near_.affine(); }
  /// The natural map and its Jacobian there.
  const NewtonMap& map() const { return map_; }
  /// The last point.
  const Vector& point() const { return point_; }

 private:
  Outcome compute(const VariationalInequality& problem, Vector& x) override;
  double evaluate(const VariationalInequality& problem, const Vector& x) override;

  Linearisation near_;
  ProductOfSets start_;
  NewtonMap map_;
  Vector point_;
};

/// Semismooth Newton on the natural map: each step solves one system of linear equations, in which the rows are guessed
/// to be at a bound, on the border of their cone, or inside. Points may lie outside C on the way. Warm starts from x.
class VariationalNewtonSolver final : public LinearisingNewtonSolver {
 public:
  /// Throws Error on options out of range.
  explicit VariationalNewtonSolver(VariationalNewtonOptions options = {});

  std::string_view name() const override { return "VariationalNewtonSolver"; }

 private:
  bool direction(const VariationalInequality& problem, double shift, Vector& step) override;

  NewtonSystem system_;
};

/// Josephy and Newton's method: each step solves the affine problem that F is near x, by AutomaticMechanicalSolver, and
/// goes towards its answer. Dearer a step than VariationalNewtonSolver, but the status of all rows may change in one,
/// and from a start in C the points stay in C. Where the affine problem is not solved or no step reduces the natural
/// map, it is shifted to that of a proximal point. Warm starts from x, which it moves into C. (Josephy, 1979;
/// Facchinei and Pang, 2003, section 7.3.)
class JosephyNewtonSolver final : public LinearisingNewtonSolver {
 public:
  /// Throws Error on options out of range.
  explicit JosephyNewtonSolver(VariationalNewtonOptions options = {});

  std::string_view name() const override { return "JosephyNewtonSolver"; }

 private:
  bool direction(const VariationalInequality& problem, double shift, Vector& step) override;

  std::unique_ptr<SolverOverSets> affineSolver_;
  GenericMechanicalProblem shifted_;
  Vector answer_, dual_;
};

}  // namespace delassus::numerics
