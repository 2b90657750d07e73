// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <vector>

namespace delassus::numerics {

/// Elimination of the first rows E of w = A λ + q, which have w_E = 0, from the others R:
///
///     w_R = S λ_R + s,    S = A_RR − A_RE A_EE⁺ A_ER,    s = q_R − A_RE A_EE⁺ q_E,    λ_E = −A_EE⁺ (q_E + A_ER λ_R),
///
/// ⁺ being some inverse on the range. Where A_EE is singular this is the solution if there is one. Derived classes have
/// a factor() that takes A.
class EqualityElimination {
 public:
  virtual ~EqualityElimination() = default;

  /// Rank of A_EE found by factor().
  virtual std::size_t rank() const = 0;
  /// Whether A_ER is in the range of A_EE, and A_RE in that of A_EEᵀ, nearly: then equality rows beyond the rank have
  /// the same w for all λ that make the others 0, and λ_R is the same for all λ_E that do.
  virtual bool keepsRange() const = 0;

  /// S, column-major with all entries: S_ij at schur() + i + j · schurStride(). Entries that are rounding of what they
  /// are the difference of are 0: left as they are, they would be the stiffness of rows that the equalities determine.
  ///@{
  virtual const double* schur() const = 0;
  virtual std::size_t schurStride() const = 0;
  ///@}

  /// s into `rest`; q is stored for expand().
  virtual void reduce(const double* q, double* rest) = 0;
  /// λ_E of λ_R, for the last q.
  virtual void expand(const double* rest, double* lambdaE) = 0;
  /// x := A_EE⁺ x
  virtual void solve(double* x) = 0;

 protected:
  EqualityElimination() = default;
  EqualityElimination(const EqualityElimination&) = default;
  EqualityElimination& operator=(const EqualityElimination&) = default;
};

/// For symmetric A with A_EE surely positive definite: the first columns of a Cholesky factorisation of A, of which the
/// rest is S. Zeros of A between parts that do not touch are skipped, so that a chain of bodies costs less than a full
/// matrix; plain loops for small problems, BLAS and LAPACK beyond.
class RegularElimination final : public EqualityElimination {
 public:
  /// Takes A with its first rows as E; false where it is not symmetric or a pivot is not surely positive.
  bool factor(const Matrix& A, std::size_t equalities);
  std::size_t rank() const override { return equalities_; }
  bool keepsRange() const override { return true; }
  const double* schur() const override { return data(L_) + equalities_ * (size_ + 1); }
  std::size_t schurStride() const override { return size_; }
  void reduce(const double* q, double* rest) override;
  void expand(const double* rest, double* lambdaE) override;
  void solve(double* x) override;

 private:
  bool factorSmall();
  bool factorLarge();
  void forward(double* x) const;
  void backward(double* x) const;

  std::size_t size_ = 0;
  std::size_t equalities_ = 0;
  Matrix L_;
  std::vector<double> diagonal_, inverse_;  // of A_EE; 1 / L_kk
  std::vector<std::size_t> ends_;           // of the columns of L_EE, past their last entry that is not zero
  std::vector<double> y_;                   // L⁻¹ q_E
  std::vector<double> rounding_;            // (n ε A_ii)^½ of the rows R
};

/// By the responses A_EE⁺ A_ER, column by column. Across is the type of A_RE.
template <class Across>
class ResponseElimination : public EqualityElimination {
 public:
  const double* schur() const final { return data(S_); }        ///< as in EqualityElimination
  std::size_t schurStride() const final { return S_.size1(); }  ///< as in EqualityElimination
  void reduce(const double* q, double* rest) final;             ///< as in EqualityElimination
  void expand(const double* rest, double* lambdaE) final;       ///< as in EqualityElimination

 protected:
  ResponseElimination() = default;

  /// Sets sizes for factor() to fill; response_ and S_ are zero.
  void resize(std::size_t equalities, std::size_t rest);
  /// Once A_EE is factored, and A_ER stands in response_ and A_RR in S_.
  void eliminate();

  Matrix response_;  ///< A_EE⁺ A_ER
  Matrix S_;         ///< A_RR − A_RE A_EE⁺ A_ER
  Across across_;    ///< A_RE

 private:
  ClearedProduct<Across> product_;
  std::vector<double> free_;  // A_EE⁺ q_E
};

/// For A_EE of any rank: pivoted Cholesky where A is symmetric positive semidefinite, with the λ_E of least norm, LU
/// with complete pivoting where it is not.
class SingularElimination final : public ResponseElimination<Matrix> {
 public:
  /// `rankTolerance` as in SemidefiniteCholesky and RankRevealingLU.
  explicit SingularElimination(double rankTolerance) : rankTolerance_(rankTolerance) {}

  /// Takes A with its first rows as E.
  void factor(const Matrix& A, std::size_t equalities);
  std::size_t rank() const override { return semidefinite_ ? cholesky_.rank() : lu_.rank(); }
  bool keepsRange() const override { return keepsRange_; }
  void solve(double* x) override { semidefinite_ ? cholesky_.solve(x) : lu_.solve(x); }

 private:
  bool isRangeKept();

  double rankTolerance_;
  bool semidefinite_ = false;
  bool keepsRange_ = false;
  Matrix block_;               // A_EE
  Matrix given_;               // A_ER, where it is needed
  std::vector<double> sizes_;  // |A_ii|^½
  SemidefiniteCholesky cholesky_;
  RankRevealingLU lu_;
  std::vector<double> rounding_;  // as in RegularElimination
  std::vector<double> sums_, null_;
};

}  // namespace delassus::numerics
