// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/RowwiseGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayGaussSeidelSolver.
using RelayGaussSeidelOptions = GaussSeidelOptions;
/// z_i ← P_[l_i, u_i](z_i − ω (M z + q)_i / M_ii) row after row.
using RelayGaussSeidelSolver = RowwiseGaussSeidelSolver<RelayProblem>;

}  // namespace delassus::numerics
