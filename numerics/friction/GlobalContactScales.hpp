// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// What turns a reaction into a velocity of the size that it makes, from the diagonal of Hᵀ diag(M)⁻¹ H, which costs no
/// factorisation. Each is 1 where it would not be positive.
struct GlobalContactScale {
  double normal;   ///< the normal entry
  double tangent;  ///< mean of the tangential entries
  double mean;     ///< mean of all d entries
};

/// The scale of each contact.
void contactScales(const GlobalFrictionContactProblem& problem, std::vector<GlobalContactScale>& scales);

}  // namespace delassus::numerics
