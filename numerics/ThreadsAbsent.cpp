// SPDX-License-Identifier: Apache-2.0
//
// Replaces Threads.cpp in a build without oneTBB.
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>

namespace delassus {

std::size_t threads() {
  return 1;
}

void setThreads(std::size_t wanted) {
  if (wanted == 0) throw Error("setThreads", "the number of threads must be 1 or more, got 0.");
  if (wanted > 1) throwAbsent("setThreads(" + std::to_string(wanted) + ")", "oneTBB", "DELASSUS_WITH_TBB");
}

void detail::shareParts(std::size_t, const std::function<void(std::size_t)>&) {
}

}  // namespace delassus
