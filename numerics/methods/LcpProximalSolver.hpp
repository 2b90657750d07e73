// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
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
      : ProximalSolver(std::make_unique<BlockPivotingSolver>(BlockPivotingOptions::ofDefinite()), options) {}

  std::string_view name() const override { return "LcpProximalSolver"; }
};

}  // namespace delassus::numerics
