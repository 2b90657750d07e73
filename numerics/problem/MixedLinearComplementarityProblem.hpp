// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Mixed linear complementarity problem: find z and w with
///
///     w = M z + q,   w_i = 0 and z_i free on equality rows,   0 ≤ w_i ⟂ z_i ≥ 0 on complementarity rows.
///
/// M is square, dense or sparse: one part, a box with the ends of each row, or a part a row where it is given sparse.
/// The two orders in use are both here:
/// - block form, A u + C v + a = 0, 0 ≤ v ⟂ D u + B v + b ≥ 0, is z = (u, v) with M = [A C; D B], q = (a, b): see
/// fromBlocks;
/// - mixed rows: each row says what it is.
///
/// Where there are more equalities than free unknowns (redundant ones), or fewer, M may be given rectangular: the m
/// complementarity rows then belong, in their order, to the last m unknowns, and the others are free. It is made square
/// by rows and columns of zeros. z has its unknowns in the order that they were given, followed by those that have been
/// added, and each row of w stands where its unknown does.
///
/// Its error measure is that of an LCP; those of a GenericMechanicalProblem count energies. ([Siconos 2017], chapter 9;
/// Cottle, Pang, Stone, 1992, section 1.5.)
class MixedLinearComplementarityProblem final : public GenericMechanicalProblem {
 public:
  /// The kind of a row of M.
  enum class Row : char {
    equality,        ///< w_i = 0
    complementarity  ///< 0 ≤ w_i ⟂ z_i ≥ 0
  };

  /// The empty problem, to be filled by way of parts(), M(), q(), lower() and upper(); the sets of its parts may also
  /// be boxes with the bounds of equality or complementarity.
  MixedLinearComplementarityProblem();
  /// Throws Error if sizes do not fit, an entry is not finite, or there are fewer columns than complementarity rows.
  MixedLinearComplementarityProblem(Matrix M, Vector q, std::vector<Row> rows);
  /// For models with thousands of equations. Throws Error as above, and if M is not square.
  MixedLinearComplementarityProblem(const SparseMatrix& M, Vector q, const std::vector<Row>& rows);
  /// A is equalities x free, B is m x m, C equalities x m, D m x free; a, b the two parts of q. Throws Error as above.
  static MixedLinearComplementarityProblem fromBlocks(const Matrix& A, const Matrix& B, const Matrix& C,
                                                      const Matrix& D, const Vector& a, const Vector& b);

  const BlockSparseMatrix& M() const { return W(); }  ///< n x n
  BlockSparseMatrix& M() { return W(); }              ///< for new values in place, as W()
  /// What row i says. Throws Error if there is none.
  Row row(std::size_t i) const;

  /// As that of GenericMechanicalProblem; throws Error also where a row has other bounds than these two kinds.
  void validate() const override;

 private:
  using GenericMechanicalProblem::state;
  struct Square;
  explicit MixedLinearComplementarityProblem(Square square);
};

}  // namespace delassus::numerics
