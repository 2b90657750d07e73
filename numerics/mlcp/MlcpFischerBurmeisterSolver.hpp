// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpFischerBurmeisterSolver.
using MlcpFischerBurmeisterOptions = FischerBurmeisterOptions;
/// For MLCPs.
using MlcpFischerBurmeisterSolver = FischerBurmeisterMethod<MixedLinearComplementarityProblem>;

}  // namespace delassus::numerics
