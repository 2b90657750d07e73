// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/methods/GaussSeidelSolver.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// The solves of one part each with the reactions of all others held, as Gauss–Seidel needs them.
class LocalSolves {
 public:
  /// To be called after each change of W or the parts. Allocates only where the problem is larger than any before.
  void prepare(const ProblemOverSets& problem);

  /// Sets `lambda`, the rows of `part`, to a solution of its law, `w` being the velocity at the old `lambda`, of which
  /// the rows are overwritten.
  void update(const ProblemOverSets& problem, std::size_t part, double* w, double* lambda) const;

  /// The scales of the rows of the prepared problem.
  const MechanicalScales& scales() const { return scales_; }

 private:
  MechanicalScales scales_;
  std::vector<RankRevealingLU> factors_;  // by parts, those of the others unused
};

/// Options of ProjectedGaussSeidelSolver.
using ProjectedGaussSeidelOptions = GaussSeidelOptions;

/// Projected Gauss–Seidel and successive over-relaxation over intervals, z_i ← P_i(z_i − ω (M z + q)_i / M_ii) row
/// after row, P_i the projection on [l_i, u_i]. Converges for symmetric positive definite M (any ω in (0, 2)) and for
/// H-matrices with ω ≤ 1; needs M_ii > 0. Warm starts from z. Cheap to moderate accuracy; the number of sweeps grows
/// with the condition of M (like N² for a column of N beads). (Cryer, SIAM J. Control 9, 1971; Cottle, Pang, Stone,
/// 1992, section 5.2.)
class ProjectedGaussSeidelSolver final : public GaussSeidelSolver<ProblemOverSets> {
 public:
  /// Throws Error on options out of range.
  explicit ProjectedGaussSeidelSolver(ProjectedGaussSeidelOptions options = {});

  std::string_view name() const override { return "ProjectedGaussSeidelSolver"; }

 private:
  Start begin(const ProblemOverSets& problem, Vector& z) override;
  Sweep sweep(const ProblemOverSets& problem, Vector& z) override;

  Intervals intervals_;
  Vector diagonal_;
};

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

/// Options of MechanicalGaussSeidelSolver.
using MechanicalGaussSeidelOptions = GaussSeidelOptions;

/// Nonsmooth block Gauss–Seidel: part after part, its law is solved with all other reactions held
/// (ConvexSet::solveLocal). One sweep is linear in the blocks of W, and only small factors are stored, so that it
/// handles any size. It converges for equalities and boxes with symmetric positive definite W (semidefinite with
/// consistent q too), and in practice with contacts; slowly where joints make long chains or closed loops, whose
/// condition is that of W_EE: eliminate them instead (MechanicalEliminationSolver). A relaxation above 1
/// is that of equalities and of boxes of one row, and 1 for other parts. Starts from λ. Does not allocate in
/// repeated solves. (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998.)
class MechanicalGaussSeidelSolver final : public GaussSeidelSolver<ProblemOverSets> {
 public:
  /// Throws Error on options out of range.
  explicit MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options = {});

  std::string_view name() const override { return "MechanicalGaussSeidelSolver"; }

 private:
  Start begin(const ProblemOverSets& problem, Vector& lambda) override;
  Sweep sweep(const ProblemOverSets& problem, Vector& lambda) override;

  void relax(const ProblemOverSets& problem, std::size_t part, double* own) const;

  LocalSolves local_;
  std::vector<double> w_, old_;  // of one part
};

}  // namespace delassus::numerics
