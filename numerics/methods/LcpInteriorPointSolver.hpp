// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/problem/Intervals.hpp>

namespace delassus::numerics {

/// Options of LcpInteriorPointSolver.
struct LcpInteriorPointOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 100, range::positive, "factorisations; 10 to 25 are usual at any size"))
};

/// Primal–dual interior point method with Mehrotra's predictor and corrector, for monotone problems: M + Mᵀ positive
/// semidefinite, of full or deficient rank, symmetric or not. Each iteration solves
///
///     (M + Z⁻¹W) Δz = Z⁻¹(σμ 1 − ZW1 − ΔZᵃΔWᵃ1) − (M z + q − w)
///
/// twice with one factor (Cholesky for symmetric M, LU otherwise). Where two iterates agree on which z are positive,
/// the complementary basis ends the solve to rounding; where the solution is not unique or not strictly complementary,
/// the iterates themselves converge, to the centre of the solutions. Divergence along a direction that excludes any
/// solution (Farkas) is reported as `infeasible`. Dense; it uses its own start, not z. (Mehrotra, SIAM J. Optim. 2,
/// 1992; Wright, Primal-Dual Interior-Point Methods, 1997, chapters 8 and 10.)
class LcpInteriorPointSolver final : public WithOptions<Solver<ProblemOverSets>, LcpInteriorPointOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LcpInteriorPointSolver(LcpInteriorPointOptions options = {});

  std::string_view name() const override { return "LcpInteriorPointSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  void scale(const BoxView& view);
  void updateResidual();
  bool factor();
  void direction();
  double longestStep() const;
  bool iterate();
  void unscale(Vector& z) const;

  DenseBox dense_;
  BasisFinish finish_;
  bool symmetric_ = false;
  double scaleQ_ = 1.;
  Vector scale_;  // z = scale · scaleQ · x inside
  Matrix M_, system_;
  Vector q_, x_, w_, residual_, target_, dx_, dw_;
  CholeskyFactorization cholesky_;
  LUFactorization lu_;
  bool useCholesky_ = false;
};

}  // namespace delassus::numerics
