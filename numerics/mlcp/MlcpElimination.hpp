// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <vector>

namespace delassus::numerics {

/// Which rows and columns of an MLCP are to be eliminated so that an LCP is left. As a rule the equality rows with the
/// free columns. Where that block is singular, as in circuits, some pairs K take part with both their row and their
/// column (they then change the roles of z and w in the LCP). Found by Gaussian elimination with full pivoting on the
/// equilibrated matrix:
///
/// - where the equality rows with the free columns are a square block of moderate condition, they are all;
/// - else a pivot in an equality row and a free column as long as there is one;
/// - then a pair k that couples a remaining equality row to a remaining free column, by two pivots;
/// - a remaining equality row without any entry is redundant;
/// - a remaining free column (there are fewer equalities than free unknowns) eliminates a row w_k with which it is
///   coupled, and the pair is resolved as z_k = w_k = 0; without any entry it is set to zero.
class MlcpElimination {
 public:
  /// False if an equality row binds z of the pairs but leaves no free unknown to eliminate.
  bool find(const BoxView& view);

  const std::vector<std::size_t>& rows() const { return rows_; }            ///< eliminated rows of M
  const std::vector<std::size_t>& columns() const { return columns_; }      ///< and as many columns
  const std::vector<std::size_t>& swapped() const { return swapped_; }      ///< pairs K
  const std::vector<std::size_t>& kept() const { return kept_; }            ///< pairs of the LCP that are not swapped
  const std::vector<std::size_t>& redundant() const { return redundant_; }  ///< equality rows

 private:
  struct Place {
    std::size_t row = 0, column = 0;
    double magnitude = 0.;
  };

  void equilibrate(const BoxView& view);
  bool findPlain(const BoxView& view);
  Place largest(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) const;
  void pivot(std::size_t row, std::size_t column);
  bool couple(const BoxView& view);
  void resolve(const BoxView& view);

  Matrix T_, block_;
  LUFactorization factor_;
  std::vector<std::size_t> rows_, columns_, swapped_, kept_, redundant_;
  std::vector<std::size_t> leftRows_, leftColumns_;  // equality rows and free columns not yet eliminated
};

}  // namespace delassus::numerics
