// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Scales that convert a reaction into a velocity of the magnitude it causes, from the diagonal of Hᵀ diag(M)⁻¹ H,
/// which needs no factorisation. Scales that would not be positive are 1.
struct GlobalContactScale {
  double normal;   ///< the normal entry
  double tangent;  ///< mean of the tangential entries
  double mean;     ///< mean of all d entries
};

/// The scale of each contact.
void contactScales(const GlobalFrictionContactProblem& problem, std::vector<GlobalContactScale>& scales);

}  // namespace delassus::numerics
