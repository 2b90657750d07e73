// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/mechanical/MechanicalNaturalMap.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear system of a Newton step, J = A (W + ε D) + B with the blocks A, B of a MechanicalNaturalMap and D = d/c²
/// of its scales: dense LU for small or nearly full W, UMFPACK otherwise. ε > 0 makes J regular where rows are
/// redundant, at the price of a linear convergence with about the factor ε.
class MechanicalNewtonSystem {
 public:
  /// Up to this many rows the system is dense.
  explicit MechanicalNewtonSystem(std::size_t denseSize) : denseSize_(denseSize) {}

  /// False, leaving no factor, if J is singular to working precision.
  bool factor(const ProblemOverSets& problem, const MechanicalNaturalMap& map, double epsilon);

  /// x := J⁻¹ x
  void solve(Vector& x);

 private:
  // J's block of a part and a block column of W, or of the diagonal without W (k = W.rowEnd(part)).
  const double* blockOf(const ProblemOverSets& problem, const MechanicalNaturalMap& map, double epsilon,
                        std::size_t part, std::size_t k);
  void fillDense(const ProblemOverSets& problem, const MechanicalNaturalMap& map, double epsilon);
  void fillSparse(const ProblemOverSets& problem, const MechanicalNaturalMap& map, double epsilon);
  void layOut(const ProblemOverSets& problem);

  std::size_t denseSize_;
  bool isDense_ = true;
  std::vector<double> block_;
  Matrix matrix_;
  LUFactorization dense_;
  std::vector<std::size_t> starts_, next_, rows_;  // of the columns of sparseMatrix_
  MadeFrom<std::uint64_t> patternFrom_;
  SparseMatrix sparseMatrix_;
  SparseLUFactorization sparse_;
};

}  // namespace delassus::numerics
