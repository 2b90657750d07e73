// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <delassus/numerics/lcp/RowwiseGaussSeidelSolver.hpp>

namespace delassus::numerics {

/// Options of ProjectedGaussSeidelSolver.
using ProjectedGaussSeidelOptions = GaussSeidelOptions;
/// z_i ← max(0, z_i − ω (M z + q)_i / M_ii) row after row.
using ProjectedGaussSeidelSolver = RowwiseGaussSeidelSolver<LinearComplementarityProblem>;

}  // namespace delassus::numerics
