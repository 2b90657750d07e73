// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseCholeskyFactorization.hpp>
#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactSolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of ReductionSolver.
struct ReductionOptions {
  double tolerance = 1e-8;  ///< for the certificate, that of the global problem

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate of the global problem"}};
  }
};

/// Solves a global friction contact problem through its local form: with a sparse Cholesky factor of M,
///
///     W = Hᵀ M⁻¹ H,    q = Hᵀ M⁻¹ f + b,    then    v = M⁻¹ (H r + f),
///
/// and a solver of local problems in between. The blocks of W that vanish (contacts without a common body, where M is
/// block diagonal) are left out; where M couples everything, W is full: n contacts then take 9 n² numbers, and the
/// solvers that keep the global form are the better choice. With a block-diagonal M of small blocks (bodies), the cost
/// depends on how many contacts share a body. Making W allocates. The factor and W are kept while M and H stay the
/// same. Iterations, status and reason are those of the local solver. Warm starts from r; v of the start is not used.
class ReductionSolver final : public WithOptions<Solver<GlobalFrictionContactProblem>, ReductionOptions> {
 public:
  /// With AutomaticFrictionSolver at a tenth of the tolerance. Throws Error on options out of range.
  explicit ReductionSolver(ReductionOptions options = {});
  /// With a local solver of the caller's, whose own tolerance should be somewhat less; throws Error if it is null,
  /// and on options out of range.
  ReductionSolver(ReductionOptions options, std::unique_ptr<FrictionContactSolver> local);

  std::string_view name() const override { return "ReductionSolver"; }

 private:
  Outcome compute(const GlobalFrictionContactProblem& problem, Vector& x) override;
  bool reduce(const GlobalFrictionContactProblem& problem);
  bool isProven(const GlobalFrictionContactProblem& problem);
  bool assembleByBodies(const GlobalFrictionContactProblem& problem, BlockSparseMatrix& W);

  std::unique_ptr<FrictionContactSolver> local_;
  MadeFrom<std::uint64_t> reducedFrom_;
  SparseCholeskyFactorization mass_;
  FrictionContactProblem reduced_;
  Vector reaction_, velocity_, free_;
};

}  // namespace delassus::numerics
