// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear system of a basis: rows R of M z + q = 0 for the unknowns z_C, the others being held,
///
///     M_RC z_C = −q_R − Σ_{j ∉ C} M_Rj z_j,
///
/// which is all the linear algebra that an active-set or enumeration method on dense M needs. One step of iterative
/// refinement removes most of the rounding error of ill-conditioned bases. Refactoring within the capacity of earlier
/// systems does not allocate.
class BasisSystem {
 public:
  /// Factors M_RC; false if it is not square or singular to working precision.
  bool factor(const Matrix& M, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns);

  /// Sets z_C by the factor; M is the factored matrix.
  void solve(const Matrix& M, const Vector& q, Vector& z);

  /// Sets z_C to the least-squares solution of least norm, for systems of any shape and rank. Allocates.
  static void solveLeastNorm(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& columns, Vector& z);

 private:
  std::vector<std::size_t> rows_, columns_;
  Matrix submatrix_;
  Vector rhs_;
  LUFactorization factor_;
};

}  // namespace delassus::numerics
