// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace delassus {

/// How many threads the library may work on, the caller's among them: 1 until it is set. They share loops over many
/// systems, interactions and contacts. Answers do not depend on their number, to the last bit.
///
/// For the whole process; between steps and solves only. Threads of BLAS are counted apart: set OPENBLAS_NUM_THREADS=1
/// where the library has several.
///@{
std::size_t threads();
/// Throws Error if `count` is 0, or is more than 1 in a build without oneTBB (option DELASSUS_WITH_TBB).
void setThreads(std::size_t count);
///@}

namespace detail {
// part(k) for each k < count, on all threads; throws what a part has thrown.
void shareParts(std::size_t count, const std::function<void(std::size_t)>& part);
}  // namespace detail

/// part(k) for each k < count, in any order and on several threads: no part may write what another one reads or writes.
/// Throws what a part has thrown.
template <class Part>
void forEachPart(std::size_t count, const Part& part) {
  if (count < 2 || threads() == 1) {
    for (std::size_t k = 0; k < count; ++k) part(k);
  } else {
    detail::shareParts(count, std::cref(part));
  }
}

/// range(begin, end) for ranges that make up [0, count), each of `size` or fewer, as in forEachPart(). The ranges do
/// not depend on the number of threads.
template <class Range>
void forRanges(std::size_t count, std::size_t size, const Range& range) {
  forEachPart((count + size - 1) / size, [&](std::size_t k) { range(k * size, std::min(count, (k + 1) * size)); });
}

}  // namespace delassus
