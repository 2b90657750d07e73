// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <vector>

namespace delassus::numerics {

/// Solves systems with W + R, R > 0 diagonal, for a W that is given elsewhere.
class PenalisedOperator {
 public:
  virtual ~PenalisedOperator() = default;

  /// `penalties`: R_i by rows. False if W + R is not positive definite.
  virtual bool factor(const std::vector<double>& penalties) = 0;
  /// x := (W + R)⁻¹ x; as exactly as the method can, which may be an iteration. x is not a number where that fails.
  virtual void solve(double* x) = 0;
  /// Approximate cost of a solve and a product with W, in floating point operations.
  virtual double work() const = 0;
};

/// Cholesky factor of W + R for a matrix W: dense where W is small, sparse otherwise. The symbolic analysis is kept
/// while the pattern of W stays the same. Of W the upper triangle is read.
class PenalisedMatrix final : public PenalisedOperator {
 public:
  /// Takes W, by its address.
  void refer(const BlockSparseMatrix& W) { W_ = &W; }

  bool factor(const std::vector<double>& penalties) override;
  void solve(double* x) override;
  double work() const override;

 private:
  bool hasPatternOf(const BlockSparseMatrix& W) const;
  void analyse(const BlockSparseMatrix& W);
  bool factorDense(const BlockSparseMatrix& W, const std::vector<double>& penalties);

  const BlockSparseMatrix* W_ = nullptr;
  bool isDense_ = false;
  MadeFrom<std::uint64_t, std::vector<double>> factorFrom_;  // W and penalties
  std::vector<std::size_t> patternOffsets_, patternRows_, patternColumns_;
  SparseMatrix lower_;
  SparseCholeskyFactorization sparse_;
  Matrix full_;
  CholeskyFactorization dense_;
};

}  // namespace delassus::numerics
