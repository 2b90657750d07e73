// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <string>

namespace delassus::numerics {

void failPart(std::size_t part, const std::string& what) {
  throw Error("part " + std::to_string(part) + " of the problem", what);
}

}  // namespace delassus::numerics
