// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

EqualityConditionNSL::EqualityConditionNSL(std::size_t size) : size_(size) {
  if (size == 0) throw Error("EqualityConditionNSL", "the size must be at least 1.");
}

void EqualityConditionNSL::bounds(double* lower, double* upper) const {
  std::fill_n(lower, size_, -std::numeric_limits<double>::infinity());
  std::fill_n(upper, size_, std::numeric_limits<double>::infinity());
}

Settings EqualityConditionNSL::settings() const {
  Settings settings;
  settings.add("size", size_);
  return settings;
}

}  // namespace delassus
