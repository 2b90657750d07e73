// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace delassus {

/// A number that no other call in this process returns. It identifies a state of some values: solvers keep factors by
/// it.
std::uint64_t newStamp();

}  // namespace delassus
