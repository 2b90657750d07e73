// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// The same problem in other units of the normal components. With r = P x, P = diag(1/s, 1, 1) in each contact,
///
///     W' = P W P,    q' = P q,    μ' = μ/s,    û' = P û:
///
/// x solves the problem of W', q', μ' if and only if r solves the first one. s = max(1, μ) keeps the cones from being
/// nearly half-spaces, on which methods with one penalty for all components of a contact are very slow.
class NormalScaling {
 public:
  /// Makes the scaled problem; copies the matrix only if some μ is above 1.
  void begin(const FrictionContactProblem& problem, const BlockSparseMatrix& W);

  /// The scaled problem and its W'; the original ones if no μ is above 1.
  ///@{
  const FrictionContactProblem& problem() const { return *scaled_; }
  const BlockSparseMatrix& matrix() const { return *matrix_; }
  ///@}

  /// x = P⁻¹ r
  void toScaled(const Vector& r, Vector& x) const;
  /// r = P x
  void toOriginal(const Vector& x, Vector& r) const;

 private:
  void scaleMatrix(const BlockSparseMatrix& W);

  std::vector<double> factors_;  // s of each contact
  std::uint64_t stamp_ = 0;      // of the matrix that was scaled
  std::vector<double> scaledFactors_;
  const FrictionContactProblem* scaled_ = nullptr;
  const BlockSparseMatrix* matrix_ = nullptr;
  std::shared_ptr<AssembledDelassus> copy_;
  FrictionContactProblem own_;
  Vector friction_;
};

}  // namespace delassus::numerics
