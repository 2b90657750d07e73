// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of BlockGaussSeidelSolver.
struct BlockGaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all block rows
  std::size_t errorInterval = 5;      ///< sweeps between two computations of the error

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps over all block rows"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two computations of the error"}};
  }
};

/// Projected Gauss–Seidel by block rows: row after row the small LCP of the diagonal block is solved exactly (Lemke; by
/// its formula for one scalar), the rest of z being held. Converges where M is symmetric positive definite, and in
/// fewer sweeps than the scalar method where the coupling is inside the blocks. Diagonal entries may be zero, as long
/// as each block's LCP has a solution; if Lemke's method finds none for a block, the solve ends and the report says so.
/// A matrix of one block is solved in one sweep. Warm starts from z. (Cottle, Golub, Sacher, Applied Mathematics and
/// Optimization 4, 1978.)
class BlockGaussSeidelSolver final : public WithOptions<LcpSolver, BlockGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit BlockGaussSeidelSolver(BlockGaussSeidelOptions options = {});

  std::string_view name() const override { return "BlockGaussSeidelSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;
  void prepare(const BlockSparseMatrix& M);
  bool solveRow(const LinearComplementarityProblem& problem, std::size_t row, Vector& z);

  LemkeSolver lemke_;
  std::uint64_t stamp_ = 0;
  std::vector<LinearComplementarityProblem> blocks_;
  Vector local_, localW_;
};

}  // namespace delassus::numerics
