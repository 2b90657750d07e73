// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseCholeskyFactorization.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Sparse Cholesky factor of M + H R Hᵀ, R a positive multiple of the identity in each contact. The pattern and its
/// symbolic analysis are kept while the problem's matrices stay the same.
class PenalisedMass {
 public:
  /// `penalties`: R of each contact. False if the sum is not positive definite.
  bool factor(const GlobalFrictionContactProblem& problem, const std::vector<double>& penalties);

  /// x := (M + H R Hᵀ)⁻¹ x
  void solve(double* x) { factor_.solve(x); }

 private:
  void analyse(const GlobalFrictionContactProblem& problem);

  MadeFrom<std::uint64_t> patternFrom_;
  MadeFrom<std::uint64_t, std::vector<double>> factorFrom_;  // M and penalties
  SparseMatrix transposedH_, lower_;
  std::vector<double> column_;  // one column of the sum, in full
  SparseCholeskyFactorization factor_;
};

}  // namespace delassus::numerics
