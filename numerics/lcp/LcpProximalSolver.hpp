// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of LcpProximalSolver.
struct LcpProximalOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 100;  ///< proximal steps
  double weight = 1e-2;             ///< δ of the first step, relative to the diagonal of M

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "proximal steps"},
            {"weight", &weight, range::positive, "proximal weight of the first step, relative to the diagonal of M"}};
  }
};

/// Proximal point method for symmetric positive semidefinite M that is large and sparse: each step solves LCP(M + δ D,
/// q − δ D zᵏ), D = diag(M) (1 where that is 0), whose matrix is definite, by BlockPivotingSolver from zᵏ. A solvable
/// problem needs a few steps, of mostly one sparse factorisation each; redundant constraints do no harm. For a problem
/// without solution z grows without bound, which the certificate shows. Prefer LcpActiveSetSolver for small or dense
/// problems. Warm starts from z. (Rockafellar, SIAM J. Control Optim. 14, 1976.)
class LcpProximalSolver final : public WithOptions<Solver<LinearComplementarityProblem>, LcpProximalOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LcpProximalSolver(LcpProximalOptions options = {});

  std::string_view name() const override { return "LcpProximalSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;
  void shift(const LinearComplementarityProblem& problem, double weight);
  SolveReport proximalStep(const LinearComplementarityProblem& problem, double weight, const Vector& z);

  BlockPivotingSolver inner_;
  std::uint64_t stamp_ = 0;
  double shiftedBy_ = 0.;
  LinearComplementarityProblem shifted_;
  Vector shift_, next_, innerW_;
};

}  // namespace delassus::numerics
