// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/methods/HalfLineForm.hpp>
#include <vector>

namespace delassus::numerics {

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

}  // namespace delassus::numerics
