// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Stamp.hpp>
#include <vector>

namespace delassus::numerics {

/// Mixed linear complementarity problem: find z and w with
///
///     w = M z + q,   w_i = 0 on equality rows,   0 ≤ w_i ⟂ z_c(i) ≥ 0 on complementarity rows.
///
/// M is rows x columns, dense. The two orders in use are both here:
/// - block form, A u + C v + a = 0, 0 ≤ v ⟂ D u + B v + b ≥ 0, is z = (u, v) with M = [A C; D B], q = (a, b): see
/// fromBlocks;
/// - mixed rows: each row says what it is.
///
/// Where M is square, row i belongs to unknown i. Where it is not (redundant equalities, or fewer of them than free
/// unknowns), the m complementarity rows belong, in their order, to the last m unknowns; the others are free. ([Siconos
/// 2017], chapter 9; Cottle, Pang, Stone, 1992, section 1.5.)
class MixedLinearComplementarityProblem {
 public:
  /// The kind of a row of M.
  enum class Row : char {
    equality,        ///< w_i = 0
    complementarity  ///< 0 ≤ w_i ⟂ z_c(i) ≥ 0
  };

  /// The empty problem.
  MixedLinearComplementarityProblem() = default;
  /// Throws Error if sizes do not fit, an entry is not finite, or there are fewer columns than complementarity rows.
  MixedLinearComplementarityProblem(Matrix M, Vector q, std::vector<Row> rows);
  /// A is equalities x free, B is m x m, C equalities x m, D m x free; a, b the two parts of q. Throws Error as above.
  static MixedLinearComplementarityProblem fromBlocks(const Matrix& A, const Matrix& B, const Matrix& C,
                                                      const Matrix& D, const Vector& a, const Vector& b);

  std::size_t size() const { return M_.size2(); }                                ///< unknowns
  std::size_t rows() const { return M_.size1(); }                                ///< of M and w
  std::size_t complementarities() const { return complementarityRows_.size(); }  ///< m
  std::size_t equalities() const { return rows() - complementarities(); }        ///< rows with w_i = 0
  const Matrix& M() const { return M_; }                                         ///< rows() x size()
  const Vector& q() const { return q_; }                                         ///< w at z = 0
  Row row(std::size_t i) const { return kinds_[i]; }                             ///< what row i says
  /// Rows w_i and unknowns z_j of the complementarity pairs, k = 0 .. complementarities() − 1, one or all.
  ///@{
  std::size_t complementarityRow(std::size_t pair) const { return complementarityRows_[pair]; }
  std::size_t complementarityColumn(std::size_t pair) const { return complementarityColumns_[pair]; }
  const std::vector<std::size_t>& complementarityRows() const { return complementarityRows_; }
  const std::vector<std::size_t>& complementarityColumns() const { return complementarityColumns_; }
  ///@}
  /// Indices i of the rows with w_i = 0, ascending.
  const std::vector<std::size_t>& equalityRows() const { return equalityRows_; }
  /// Indices of the unknowns that are in no pair, ascending.
  const std::vector<std::size_t>& freeColumns() const { return freeColumns_; }

  /// For new values in place, of the same structure; call touch() after changing M.
  ///@{
  Matrix& M() { return M_; }
  Vector& q() { return q_; }
  ///@}
  /// Sets a new stamp.
  void touch();
  /// As BlockSparseMatrix::adoptStamp.
  void adoptStamp(std::uint64_t stamp) { stamp_ = stamp; }

  /// Throws Error naming what is wrong: sizes that do not fit, or an entry that is not finite.
  void validate() const;
  /// Checks only what a new q can violate.
  void validateVectors() const;
  /// Identifies M, as BlockSparseMatrix::stamp does.
  std::uint64_t stamp() const { return stamp_; }

 private:
  Matrix M_;
  Vector q_;
  std::vector<Row> kinds_;
  std::vector<std::size_t> equalityRows_, freeColumns_, complementarityRows_, complementarityColumns_;
  std::uint64_t stamp_ = newStamp();
};

}  // namespace delassus::numerics
