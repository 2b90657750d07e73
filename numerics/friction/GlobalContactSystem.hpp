// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// The linear systems of Newton's method on the global form,
///
///         ⎛ −M         H     ⎞
///     J = ⎝ ∂_UΦ Hᵀ    ∂_PΦ  ⎠ ,
///
/// the derivatives of Φ given contact by contact. The pattern is that of all branches of Φ together, so that one
/// symbolic analysis serves all iterations; it is repeated when the problem's matrices change.
class GlobalContactSystem {
 public:
  /// Takes the problem's M and H.
  void begin(const GlobalFrictionContactProblem& problem);

  /// The blocks of a contact, d x d and column-major, to be set before assemble(): ∂_UΦ and ∂_PΦ.
  ///@{
  double* byU(std::size_t contact) { return byU_.data() + contact * dimension_ * dimension_; }
  double* byP(std::size_t contact) { return byP_.data() + contact * dimension_ * dimension_; }
  ///@}

  /// J of the present blocks.
  const SparseMatrix& assemble();
  /// Assembles and factors J; false if it is singular. Allocates.
  bool factor() { return factor_.tryFactor(assemble()); }

  /// x := J⁻¹ x
  void solve(double* x) { factor_.solve(x); }

 private:
  // One degree of freedom and one contact: the d entries of H that join them, and where ∂_UΦ Hᵀ goes in J.
  struct Arm {
    std::size_t contact;
    std::size_t firstEntry;
    double values[3];
  };
  void buildPattern(const GlobalFrictionContactProblem& problem);

  std::size_t dimension_ = 3;
  std::uint64_t stamp_ = 0;
  std::vector<double> byU_, byP_;
  std::vector<Arm> arms_;
  std::vector<std::size_t> localEntries_;  // of each column of ∂_PΦ in J
  SparseMatrix J_;
  SparseLUFactorization factor_;
};

}  // namespace delassus::numerics
