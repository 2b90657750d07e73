// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/contact/JordanAlgebra.hpp>
#include <delassus/numerics/methods/NewtonSystem.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of FrictionInteriorPointSolver.
struct FrictionInteriorPointOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 200, range::positive, "factorisations"),
                   (double, fractionToBoundary, 0.99, range::between(0., 1.),
                    "share of the longest step inside the cones"))
};

/// Primal-dual interior point method with the scaling of Nesterov and Todd and Mehrotra's predictor and corrector. With
/// x = (μ r_N, r_T) and y = (û_N/μ, û_T) both in the second-order cone L, P = diag(1/μ, 1, 1),
///
///     y = P W P x + P q + ‖y_T‖ e,    x ∘ y = 0,
///
/// is solved along x ∘ y = σ e, σ falling to 0. De Saxcé's term ‖y_T‖ e, which makes the problem nonconvex, is in
/// Newton's equations with its derivative. Each iteration factors P W P + (1 − e (y_T/‖y_T‖)ᵀ) G², G the scaling
/// (unsymmetric LU).
///
/// Some tens of iterations for any size; it finds the status of all contacts at tight tolerance and, for a hyperstatic
/// problem, a solution in the middle of the set of solutions. It always uses its own start, not r. Needs W as a matrix
/// and μ > 0. Sparse factorisations allocate. (Acary, Armand, Nguyen and Shpakovych, 2023; Kučera, Machalová, Netuka
/// and Ženčák, 2013.)
class FrictionInteriorPointSolver final
    : public WithOptions<Solver<FrictionContactProblem>, FrictionInteriorPointOptions> {
 public:
  /// Throws Error on options out of range.
  explicit FrictionInteriorPointSolver(FrictionInteriorPointOptions options = {});

  std::string_view name() const override { return "FrictionInteriorPointSolver"; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void start(const FrictionContactProblem& problem);
  void computeResidual(const FrictionContactProblem& problem);
  bool factor(const FrictionContactProblem& problem, const BlockSparseMatrix& W);
  void solveFor(const FrictionContactProblem& problem, bool correct);
  void keepInside(std::size_t d);
  double longestStep(const FrictionContactProblem& problem) const;
  double complementarity(double step) const;
  void readReaction(const FrictionContactProblem& problem, Vector& r) const;

  NewtonSystem system_;
  std::vector<NesterovTodd> scalings_;
  std::vector<double> scales_;
  Vector x_, y_, dx_, dy_, residual_, target_, reaction_;
  double centre_ = 0.;  // σ times the present mean of x ∘ y
};

}  // namespace delassus::numerics
