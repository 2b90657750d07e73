// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Mean diagonal entry of each contact's block of W (1 where that is not positive): it converts a reaction into a
/// velocity of the magnitude it causes.
void contactScales(const FrictionContactProblem& problem, std::vector<double>& scales);

}  // namespace delassus::numerics
