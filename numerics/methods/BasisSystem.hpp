// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear system of a basis: the rows F of M z + q = 0 for the unknowns z_F, the others being held,
///
///     M_FF z_F = −q_F − Σ_{j ∉ F} M_Fj z_j,
///
/// which is all the linear algebra that an active-set or enumeration method on dense M needs. Refactoring within the
/// capacity of earlier systems or reserve() does not allocate.
class BasisSystem {
 public:
  /// Room for systems of `size` unknowns.
  void reserve(std::size_t size);

  /// Factors M_FF; false if it is singular to working precision.
  bool factor(const Matrix& M, const std::vector<std::size_t>& rows);
  /// Up to size 16 inverts the factored M_FF, since a product takes less time than two triangular solves: for a system
  /// that is solved many times. Its error is κ ε.
  void invert();
  /// The sign of det M_FF, once it was factored; 1 where F is empty, 0 where rounding alone decides.
  int determinantSign() const { return factor_.determinantSign(); }

  /// Sets z_F by the factor or the inverse; M is the factored matrix, and all z but z_F and those of the columns `held`
  /// count as zero.
  void apply(const Matrix& M, const Vector& q, const std::vector<std::size_t>& held, Vector& z);
  /// One step of iterative refinement, z_F := z_F − M_FF⁻¹ (M z + q)_F.
  void refine(const Matrix& M, const Vector& q, Vector& z);
  /// Sets z_F with one step of refinement, which leaves little of the rounding error of an ill-conditioned basis.
  void solve(const Matrix& M, const Vector& q, Vector& z);

  /// Sets z_C to the least-squares solution of least norm of the rows R, for systems of any shape and rank. Allocates.
  static void solveLeastNorm(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows,
                             const std::vector<std::size_t>& columns, Vector& z);

 private:
  void applyInverse();

  std::vector<std::size_t> rows_;  // F
  Matrix submatrix_;
  LUFactorization factor_;
  bool isInverted_ = false;
  std::vector<double> inverse_;  // column-major
  std::vector<double> rhs_, solution_;
};

}  // namespace delassus::numerics
