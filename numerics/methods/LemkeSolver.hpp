// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of LemkeSolver.
struct LemkeOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive,
                    "for the certificate; the answer itself is exact to rounding"),
                   (std::size_t, maxPivots, 0, range::notNegative, "pivots at most; 0: 1000 + 50 n"),
                   (double, pivotTolerance, 1e-11, range::notNegative,
                    "smaller entries of a column, relative to its largest, count as 0"))
};

/// Lemke's method with the covering vector d = (1, …, 1) and the lexicographic ratio test, so that
/// degenerate problems do not cycle. Dense: O(n²) memory and work per pivot.
///
/// It ends with a solution or on a secondary ray. For M in a large class (copositive plus: every positive semidefinite
/// M among them) a ray proves that there is no solution; for other matrices it only says that this method finds none
/// (bimatrix games, of nonnegative M with zero diagonal, are such). `infeasible` is said where
/// provesInfeasible(problem, ray()), and `numericalFailure` of any other ray. After the last pivot the basis is solved
/// once more from the data, which removes the rounding of the pivots. The start z is not used. (Cottle, Pang, Stone,
/// The Linear Complementarity Problem, 1992, sections 4.4 and 4.9.)
class LemkeSolver final : public WithOptions<Solver<ProblemOverSets>, LemkeOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LemkeSolver(LemkeOptions options = {});

  std::string_view name() const override { return "LemkeSolver"; }

  /// The direction of z along the secondary ray on which the last solve ended; empty if it ended otherwise.
  const Vector& ray() const { return ray_; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;

  // The dictionary: basic = rhs + T · nonbasic, both data scaled to largest magnitude 1. Variables are
  // numbered w_i: i, z_i: n + i, the covering variable z₀: 2n.
  void startDictionary(const ProblemOverSets& problem);
  void pivot(std::size_t row, std::size_t column);
  std::size_t leavingRow(std::size_t column);
  std::size_t firstRow();
  void keepLexicographicMinimum(const double* denominators);
  std::size_t complement(std::size_t variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  void readSolution(Vector& z) const;
  void readRay(std::size_t column);
  void polish(const ProblemOverSets& problem, Vector& z);

  std::size_t n_ = 0;
  double scaleM_ = 1.;
  double scaleQ_ = 1.;
  Matrix T_;
  Vector rhs_;
  Vector ray_;
  std::vector<std::size_t> basic_;     // variable of each row
  std::vector<std::size_t> nonbasic_;  // variable of each column
  std::vector<std::size_t> position_;  // row of a basic variable, n + column of a nonbasic one
  std::vector<std::size_t> candidates_;
  std::vector<double> denominators_;
  std::vector<double> pivotColumn_;
  Matrix basis_;
  Vector basisRhs_;
  LUFactorization basisFactor_;
};

}  // namespace delassus::numerics
