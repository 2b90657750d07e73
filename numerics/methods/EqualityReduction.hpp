// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// A mixed complementarity problem, w = M x + q with w_i = 0 in some rows and 0 ≤ w_i ⟂ x_i ≥ 0 in the others. It owns
/// nothing.
struct MixedView {
  const Matrix& M;                          ///< n x n
  const Vector& q;                          ///< w at x = 0
  const std::vector<std::size_t>& free;     ///< rows with w = 0
  const std::vector<std::size_t>& bounded;  ///< the others
};

/// Which rows and columns of a mixed complementarity problem are to be eliminated so that an LCP is left. As a rule the
/// equality rows with the free columns. Where that block is singular, as in circuits, some bounded rows K take part
/// with both their row and their column (they then change the roles of x and w in the LCP). Found by Gaussian
/// elimination with full pivoting on the equilibrated matrix:
///
/// - where the equality rows with the free columns are a block of moderate condition, they are all;
/// - else a pivot in an equality row and a free column as long as there is one;
/// - then a bounded row k that couples a remaining equality row to a remaining free column, by two pivots;
/// - a remaining equality row without any entry is redundant;
/// - a remaining free column eliminates a row w_k with which it is coupled, and x_k = w_k = 0; without any entry it is
///   set to zero.
class MixedElimination {
 public:
  /// False if an equality row binds bounded x but leaves no free unknown to eliminate.
  bool find(const MixedView& view);

  const std::vector<std::size_t>& rows() const { return rows_; }            ///< eliminated rows of M
  const std::vector<std::size_t>& columns() const { return columns_; }      ///< and as many columns
  const std::vector<std::size_t>& swapped() const { return swapped_; }      ///< K
  const std::vector<std::size_t>& kept() const { return kept_; }            ///< bounded rows that stay as they are
  const std::vector<std::size_t>& redundant() const { return redundant_; }  ///< equality rows

 private:
  struct Place {
    std::size_t row = 0, column = 0;
    double magnitude = 0.;
  };

  void equilibrate(const Matrix& M);
  bool findPlain(const MixedView& view);
  Place largest(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) const;
  void pivot(std::size_t row, std::size_t column);
  bool couple();
  void resolve();

  Matrix T_, block_;
  LUFactorization factor_;
  std::vector<std::size_t> rows_, columns_, swapped_, kept_, redundant_;
  std::vector<std::size_t> leftRows_, leftColumns_;  // equality rows and free columns not yet eliminated
};

/// Eliminates the free unknowns u of a mixed complementarity problem by its equality rows, so that an LCP is left,
///
///     u = −A⁻¹ (C v + a),   0 ≤ (B − D A⁻¹ C) v + b − D A⁻¹ a ⟂ v ≥ 0.
///
/// Where A is singular some rows of v are eliminated with it and change roles (a principal pivot, after which the
/// problem is still an LCP, and still monotone if it was); redundant equality rows are left out, and surplus free
/// unknowns set: see MixedElimination. The unknowns of the LCP are the x of the rows that are kept, then the w of those
/// that change roles. (Cottle, Pang, Stone, 1992, sections 1.5 and 2.3.)
class EqualityReduction {
 public:
  /// Takes M, into that of lcp(); false if the equality rows do not determine the free unknowns.
  bool factor(const MixedView& view);
  /// Takes q, into that of lcp().
  void takeVector(const MixedView& view);

  LinearComplementarityProblem& lcp() { return lcp_; }  ///< the LCP that is left
  /// A start of the LCP at x.
  void start(const Vector& x, Vector& v) const;
  /// x from an answer of the LCP to the q that was taken last; overwrites what that left.
  void expand(const Vector& v, Vector& x);

  /// Whether some equality rows have been left out.
  bool hasRedundant() const { return !elimination_.redundant().empty(); }

 private:
  void respond(const MixedView& view);
  void fillMatrix();
  void fillSums(const MixedView& view);

  MixedElimination elimination_;
  std::vector<std::size_t> swappedPosition_;  // of the x of each row that changes roles in the eliminated columns
  Matrix block_;                              // M_RX, the eliminated rows and columns
  LUFactorization factor_;
  Matrix response_;  // G: x_X = G v + g, X the eliminated columns, v the unknowns of the LCP
  Vector constant_;  // g
  Matrix sums_, rowBlock_;
  ClearedProduct<Matrix> product_;
  LinearComplementarityProblem lcp_;
};

}  // namespace delassus::numerics
