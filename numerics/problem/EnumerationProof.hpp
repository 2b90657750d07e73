// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/BoxView.hpp>
#include <functional>

namespace delassus::numerics {

/// True if it is proved that the problem has no solution: each solution has z_i at a bound or w_i = 0 in each row,
/// and the linear conditions of every such choice contradict each other (LinearConditions, checked on the data). Rows
/// with bounds are decided one after another, and only as long as those that are decided leave a point, so that a
/// problem whose linear conditions have none takes one proof and not 2ⁿ. False if a choice is not excluded, or once
/// `stop` says so, or after `maxProofs` of them, fewer the more rows there are, so that a search takes seconds: one for
/// 150 rows, none for more. Dense. Allocates.
bool provesUnsolvable(const BoxView& problem, const std::function<bool()>& stop, std::size_t maxProofs = 20000);

}  // namespace delassus::numerics
