// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>

namespace delassus::numerics {

/// Options of LcpProximalSolver.
using LcpProximalOptions = ProximalOptions;

/// ProximalSolver around BlockPivotingSolver, for LCPs with symmetric positive semidefinite M that is large and sparse:
/// a step is mostly one sparse factorisation. Prefer LcpActiveSetSolver for small or dense problems.
class LcpProximalSolver final : public ProximalSolver {
 public:
  /// Throws Error on options out of range.
  explicit LcpProximalSolver(LcpProximalOptions options = {})
      : ProximalSolver(std::make_unique<BlockPivotingSolver>(), options) {}

  std::string_view name() const override { return "LcpProximalSolver"; }
  using ProximalSolver::solve;  ///< of any problem over sets that BlockPivotingSolver takes
  /// The same, so that a problem can be given as its list of data.
  SolveReport solve(const LinearComplementarityProblem& problem, Vector& z, Vector& w) {
    return ProximalSolver::solve(problem, z, w);
  }
};

}  // namespace delassus::numerics
