// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// A mixed linear complementarity problem with a square sparse M, for models with thousands of equations: find z and w
/// with
///
///     w = M z + q,   w_i = 0 on equality rows,   0 ≤ w_i ⟂ z_i ≥ 0 on complementarity rows.
///
/// It is a GenericMechanicalProblem with a part a row, whose solvers keep M sparse: SparseEliminationSolver,
/// NewtonSolver, and AutomaticMechanicalSolver, which tries both above 400 rows. A MixedLinearComplementarityProblem is
/// the same with a dense M, which may have more rows than columns. ([Siconos 2017], chapter 9.)
class SparseMixedProblem : public GenericMechanicalProblem {
 public:
  /// What a row says.
  using Row = MixedLinearComplementarityProblem::Row;

  /// Throws Error if M is not square, sizes do not fit or an entry is not finite.
  SparseMixedProblem(const SparseMatrix& M, Vector q, const std::vector<Row>& rows);
};

}  // namespace delassus::numerics
