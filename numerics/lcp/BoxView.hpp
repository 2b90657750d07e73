// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {

/// A common view of LCP, MLCP and relay problems, for active-set methods on dense data that serve all three:
///
///     w = M z + q,   w_i = 0 on the equality rows,   l_k ≤ z_c(k) ≤ u_k,  −w_r(k) in the normal cone there, on the
///     pairs k.
///
/// It owns nothing.
struct BoxView {
  const Matrix& M;                               ///< rows by w, columns by z
  const Vector& q;                               ///< w at z = 0
  const std::vector<std::size_t>& equalityRows;  ///< rows with w = 0
  const std::vector<std::size_t>& freeColumns;   ///< z that are in no pair
  const std::vector<std::size_t>& pairRows;      ///< r(k)
  const std::vector<std::size_t>& pairColumns;   ///< c(k)
  const Vector& lower;                           ///< l_k, by pairs
  const Vector& upper;                           ///< u_k, by pairs

  /// Number of pairs k.
  std::size_t pairs() const { return pairRows.size(); }
  /// |q_i| + Σ_j |M_ij z_j|: the rounding of w_i is a few ε of it.
  double rowScale(std::size_t row, const Vector& z) const {
    double sum = std::abs(q(row));
    for (std::size_t j = 0; j < z.size(); ++j) sum += std::abs(M(row, j) * z(j));
    return sum;
  }
};

/// The bounds [0, ∞) of complementarity pairs.
class HalfLines {
 public:
  /// Resizes them for this number of pairs.
  void resize(std::size_t pairs) {
    if (lower_.size() == pairs) return;
    assignZero(lower_, pairs);
    upper_.resize(pairs, false);
    for (double& bound : upper_.data()) bound = std::numeric_limits<double>::infinity();
  }
  /// 0 and ∞, by pairs.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  ///@}

 private:
  Vector lower_, upper_;
};

/// The view of a problem in which row i belongs to unknown i, with the dense copy of its matrix, kept while the stamp
/// is unchanged.
class DenseBox {
 public:
  /// All rows are pairs. The view refers to this object and to q, `lower` and `upper`.
  BoxView view(const BlockSparseMatrix& M, const Vector& q, const Vector& lower, const Vector& upper) {
    if (stamp_ != M.stamp()) copy(M);
    return {M_, q, none_, none_, indices_, indices_, lower, upper};
  }

 private:
  void copy(const BlockSparseMatrix& M) {
    M.toDense(M_);
    stamp_ = M.stamp();
    indices_.resize(M.size());
    for (std::size_t i = 0; i < indices_.size(); ++i) indices_[i] = i;
  }

  Matrix M_;
  std::uint64_t stamp_ = 0;
  std::vector<std::size_t> none_, indices_;
};

}  // namespace delassus::numerics
