// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {

ComplementarityConditionNSL::ComplementarityConditionNSL(std::size_t size) : size_(size) {
  if (size == 0) throw Error("ComplementarityConditionNSL", "the size must be at least 1.");
}

Settings ComplementarityConditionNSL::settings() const {
  Settings settings;
  settings.add("size", size_);
  return settings;
}

}  // namespace delassus
