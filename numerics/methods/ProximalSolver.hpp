// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of ProximalSolver.
struct ProximalOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 100, range::positive, "proximal steps"),
                   (double, weight, 1e-2, range::positive,
                    "proximal weight of the first step, relative to the diagonal of W"))
};

/// Proximal point method around another one, for symmetric positive semidefinite W and any sets: each step solves the
/// problem of W + δ D and q − δ D λᵏ, D = diag(W) (1 where that is not positive), whose matrix is definite, from λᵏ. A
/// solvable problem needs a few steps; redundant rows do no harm. δ falls where steps gain little, and rises where the
/// inner method fails, after a few failures for good. For a problem without solution λ grows without bound, in a
/// direction that proves it: from the third step on, steps that gain little are shown to provesInfeasible(), which
/// allocates, and `infeasible` is said of what that confirms. Needs W as a matrix. Warm starts from λ. (Rockafellar,
/// SIAM J. Control Optim. 14, 1976.)
class ProximalSolver : public WithOptions<Solver<ProblemOverSets>, ProximalOptions> {
 public:
  /// `inner` should be an order more accurate than the tolerance. Throws Error if it is null, or on options out of
  /// range.
  explicit ProximalSolver(std::unique_ptr<AnySolver<ProblemOverSets>> inner, ProximalOptions options = {});

  std::string_view name() const override { return "ProximalSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  bool state(const ProblemOverSets& problem);
  void shift(const ProblemOverSets& problem, double weight);
  SolveReport proximalStep(const ProblemOverSets& problem, double weight, const Vector& lambda);

  std::unique_ptr<AnySolver<ProblemOverSets>> inner_;
  MadeFrom<std::uint64_t, double> shiftedFrom_;  // W and weight
  GenericMechanicalProblem shifted_;
  Vector shift_, next_, innerW_;
};

/// Options of LcpProximalSolver.
using LcpProximalOptions = ProximalOptions;

/// ProximalSolver around BlockPivotingSolver, for LCPs with symmetric positive semidefinite M that is large and sparse:
/// a step is mostly one sparse factorisation. Prefer LcpActiveSetSolver for small or dense problems.
class LcpProximalSolver final : public ProximalSolver {
 public:
  /// Throws Error on options out of range.
  explicit LcpProximalSolver(LcpProximalOptions options = {})
      : ProximalSolver(std::make_unique<BlockPivotingSolver>(BlockPivotingOptions::ofDefinite()), options) {}

  std::string_view name() const override { return "LcpProximalSolver"; }
};

}  // namespace delassus::numerics
