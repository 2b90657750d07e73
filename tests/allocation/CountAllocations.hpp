// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/Simulation.hpp>

namespace delassus::test {

/// Number of calls of malloc, calloc, realloc and aligned_alloc in this process so far, by whatever library.
std::size_t allocationCount();

/// Those of `steps` steps.
inline std::size_t allocationsOf(Simulation& simulation, std::size_t steps) {
  const std::size_t before = allocationCount();
  for (std::size_t k = 0; k < steps; ++k) simulation.step();
  return allocationCount() - before;
}

}  // namespace delassus::test
