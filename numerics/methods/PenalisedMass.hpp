// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/algebra/SparseCholesky.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>
#include <vector>

namespace delassus::numerics {

/// Systems with W + R for W = Hᵀ M⁻¹ H and a symmetric positive definite M, in the rows of M (Woodbury's identity):
///
///     (W + R)⁻¹ = R⁻¹ − R⁻¹ Hᵀ (M + H R⁻¹ Hᵀ)⁻¹ H R⁻¹.
///
/// The pattern of the matrix in the middle and its symbolic analysis are kept while M and H stay the same.
class PenalisedMass final : public PenalisedOperator {
 public:
  /// Takes W, by its address.
  void refer(const SparseFactors& W) { W_ = &W; }

  bool factor(const std::vector<double>& penalties) override;
  void solve(double* x) override;
  double work() const override;

 private:
  void analyse();

  const SparseFactors* W_ = nullptr;
  MadeFrom<std::uint64_t> patternFrom_;
  MadeFrom<std::uint64_t, std::vector<double>> factorFrom_;  // W and penalties
  SparseMatrix lower_;
  std::vector<double> column_;  // one column of the sum, in full
  std::vector<double> inverse_, impulses_, outputs_;
  SparseCholeskyFactorization factor_;
};

}  // namespace delassus::numerics
