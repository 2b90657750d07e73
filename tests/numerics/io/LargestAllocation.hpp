// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus::test {

/// Bytes of the largest piece of memory that C++ code of this program has asked for since the last reset.
std::size_t largestAllocation();
void resetLargestAllocation();

}  // namespace delassus::test
