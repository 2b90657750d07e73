// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>

namespace delassus {

EqualityConditionNSL::EqualityConditionNSL(std::size_t size)
    : NonSmoothLaw(std::make_shared<numerics::FreeSpace>()), size_(size) {
  if (size == 0) throw Error("EqualityConditionNSL", "the size must be at least 1.");
}

Settings EqualityConditionNSL::settings() const {
  Settings settings;
  settings.add("size", size_);
  return settings;
}

}  // namespace delassus
