// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/SparseCholeskyFactorization.hpp>
#include <vector>

namespace delassus::numerics {

/// Cholesky factor of W + R, R > 0 diagonal: dense where W is small, sparse otherwise. The symbolic analysis is kept
/// while the pattern of W stays the same. If W is unsymmetric, only one triangle is used.
class PenalisedMatrix {
 public:
  /// `penalties`: R_i by rows. False if W + R is not positive definite.
  bool factor(const BlockSparseMatrix& W, const std::vector<double>& penalties);

  /// Approximate cost of one solve in floating point operations.
  double solveWork() const;

  /// x := (W + R)⁻¹ x
  void solve(double* x);

 private:
  bool hasPatternOf(const BlockSparseMatrix& W) const;
  void analyse(const BlockSparseMatrix& W);
  bool factorDense(const BlockSparseMatrix& W, const std::vector<double>& penalties);

  bool isDense_ = false;
  std::uint64_t factoredStamp_ = 0;
  std::vector<double> factoredPenalties_;
  std::vector<std::size_t> patternOffsets_, patternRows_, patternColumns_;
  SparseMatrix lower_;
  SparseCholeskyFactorization sparse_;
  Matrix full_;
  CholeskyFactorization dense_;
};

}  // namespace delassus::numerics
