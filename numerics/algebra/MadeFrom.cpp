// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/MadeFrom.hpp>

#include <atomic>

namespace delassus {

std::uint64_t newStamp() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace delassus
