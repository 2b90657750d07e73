// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/GaussSeidelSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of BlockGaussSeidelSolver.
using BlockGaussSeidelOptions = GaussSeidelOptions;

/// Projected Gauss–Seidel by block rows: row after row the small LCP of the diagonal block is solved exactly (Lemke; by
/// its formula for one scalar), the rest of z being held. Converges where M is symmetric positive definite, and in
/// fewer sweeps than the scalar method where the coupling is inside the blocks. Diagonal entries may be zero, as long
/// as each block's LCP has a solution; if Lemke's method finds none for a block, the solve ends and the report says so.
/// A matrix of one block is solved in one sweep. Warm starts from z. (Cottle, Golub, Sacher, Applied Mathematics and
/// Optimization 4, 1978.)
class BlockGaussSeidelSolver final : public GaussSeidelSolver<ProblemOverSets> {
 public:
  /// Throws Error on options out of range.
  explicit BlockGaussSeidelSolver(BlockGaussSeidelOptions options = {});

  std::string_view name() const override { return "BlockGaussSeidelSolver"; }

 private:
  Start begin(const ProblemOverSets& problem, Vector& z) override;
  Sweep sweep(const ProblemOverSets& problem, Vector& z) override;
  void prepare(const BlockSparseMatrix& M);
  bool solveRow(const ProblemOverSets& problem, std::size_t row, Vector& z);
  bool solveScalar(double q, double diagonal);

  LemkeSolver lemke_;
  MadeFrom<std::uint64_t> blocksFrom_;
  std::vector<LinearComplementarityProblem> blocks_;
  Vector old_, local_, localW_;  // z of one block row before and after its solve, and its w
  Vector scales_;                // M_ii, 1 where that is not positive
};

}  // namespace delassus::numerics
