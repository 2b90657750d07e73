// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus::test {

/// Number of calls of malloc, calloc, realloc and aligned_alloc in this process so far, by whatever library.
std::size_t allocationCount();

}  // namespace delassus::test
