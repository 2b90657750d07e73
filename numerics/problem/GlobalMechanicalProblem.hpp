// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// The problem of one step in global form, with the velocities v of the bodies as unknowns: find v, λ and w with
///
///     M v = H λ + f,    w = Hᵀ v + b,    −(w + s(w)) in the normal cone of C at λ,
///
/// M sparse and regular (symmetric positive definite in mechanics), H sparse with a column for each row of λ, C the
/// product of the sets of the parts. It is a problem over sets with W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + b, of which W is
/// kept as its factors: M is factored once, and a product with W is a solve with M. Methods over sets take it: those of
/// alternating directions and of Newton with alternating directions solve systems in v, and never make W; for those
/// that need a matrix, requireMatrix() makes W where it is not too large (SparseFactors::mayMultiply). velocities()
/// gives v of an answer.
///
/// Certificates compute M⁻¹ by refinement in extended precision, and count what that may leave: an estimate from above
/// (SparseInverse::refine), not a bound as in other problems. They scale rows by Hᵀ diag(M)⁻¹ H, which needs no solve.
/// Not to be used from several threads at once: copies share the factor of M. ([Siconos 2017], 16.2.)
class GlobalMechanicalProblem : public ProblemOverSets {
 public:
  /// The empty problem.
  GlobalMechanicalProblem();
  /// `lower` and `upper` have one entry a row, of which those of boxes count; empty, they are infinite. Throws Error if
  /// sizes do not fit, an entry is not finite, M is singular, or a part is not valid (as in GenericMechanicalProblem).
  ///@{
  GlobalMechanicalProblem(SparseMatrix M, SparseMatrix H, Vector f, Vector b, std::vector<Part> parts,
                          Vector lower = {}, Vector upper = {});
  /// With a factor that is shared with other problems of the same M.
  GlobalMechanicalProblem(std::shared_ptr<const SparseInverse> M, SparseMatrix H, Vector f, Vector b,
                          std::vector<Part> parts, Vector lower = {}, Vector upper = {});
  ///@}
  /// Copies share M, H and W. There is no move: it would leave a problem without matrices.
  ///@{
  GlobalMechanicalProblem(const GlobalMechanicalProblem&) = default;
  GlobalMechanicalProblem& operator=(const GlobalMechanicalProblem&) = default;
  ~GlobalMechanicalProblem() override = default;
  ///@}

  std::size_t degreesOfFreedom() const { return f_.size(); }             ///< m, entries of v
  const SparseMatrix& M() const { return factors_->inverse->matrix(); }  ///< m x m
  const SparseMatrix& H() const { return factors_->H; }      ///< m x size(), multipliers to degrees of freedom
  const Vector& f() const { return f_; }                     ///< M v where λ is zero
  const Vector& b() const { return b_; }                     ///< w where v is zero
  const std::vector<Part>& parts() const { return parts_; }  ///< in the order of their rows

  /// Other data for the same M and H. Throws Error if sizes do not fit or an entry is not finite.
  ///@{
  void setForces(const Vector& f);
  void setFreeOutputs(const Vector& b);
  ///@}
  /// Bounds, for new values in place.
  ///@{
  Vector& lower() { return lower_; }
  Vector& upper() { return upper_; }
  using ProblemOverSets::lower;
  using ProblemOverSets::upper;
  ///@}

  /// v = M⁻¹ (H λ + f). Throws Error if λ has the wrong size.
  Vector velocities(const Vector& lambda) const;

  bool requireMatrix() const override;
  bool isMatrixProduct() const override { return false; }
  void multiply(const double* lambda, double* w) const override;
  /// The sum is no number, and the bound infinite, where M is singular to working precision.
  ///@{
  void addExtended(const double* lambda, long double* w) const override;
  void addRounding(const double* lambda, double* bound) const override;
  ///@}
  /// The diagonal of that of Hᵀ diag(M)⁻¹ H, by which rows are scaled; the other entries are zero. Rows of M without a
  /// positive diagonal entry count for nothing.
  void diagonalBlock(std::size_t part, double* block) const override;
  bool hasOwnScales() const override { return true; }
  const Vector& outputsAtRest() const override { return b_; }
  const SparseFactors* factors() const override { return factors_.get(); }

  void validate() const override { validateVectors(); }
  void validateVectors() const override;

 protected:
  /// For classes that state theirs in these words. H, f and b are references, so that other arguments of a call may be
  /// computed from them before they are moved.
  GlobalMechanicalProblem(const ProblemTraits& traits, std::shared_ptr<const SparseInverse> M, SparseMatrix&& H,
                          Vector&& f, Vector&& b, std::vector<Part> parts, Vector lower, Vector upper);

 private:
  std::uint64_t stampOfProduct() const override { return factors_->stamp; }
  void solveForces();
  void addData();
  void addRoundingOfProducts(const double* lambda, const SparseInverse::Refined& v, double* bound) const;
  const SparseInverse::Refined* refined(const double* lambda) const;

  std::shared_ptr<const SparseFactors> factors_;
  Vector f_, b_;
  std::vector<long double> ofForces_;  // Hᵀ M⁻¹ f
  std::vector<double> fine_, left_;    // what q lacks of Hᵀ M⁻¹ f + b, and by how much that may be wrong
  mutable std::shared_ptr<const BlockSparseMatrix> built_;  // W, where it was asked for
  // Workspace of products, and the last one in extended precision.
  mutable Vector v_, w_;
  mutable std::vector<long double> impulses_;
  mutable std::vector<double> uncertain_, asked_;
  mutable SparseInverse::Refined refined_;
  mutable MadeFrom<std::vector<double>> refinedFrom_;  // these multipliers
};

}  // namespace delassus::numerics
