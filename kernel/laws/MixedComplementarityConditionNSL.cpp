// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>

namespace delassus {

MixedComplementarityConditionNSL::MixedComplementarityConditionNSL(std::size_t size, std::size_t equalities)
    : size_(size), equalities_(equalities) {
  if (size > 0 && equalities <= size) return;
  throw Error("MixedComplementarityConditionNSL",
              "there must be at least one row and no more equalities than rows, got " + std::to_string(size) +
                  " rows with " + std::to_string(equalities) + " equalities.");
}

void MixedComplementarityConditionNSL::bounds(double* lower, double* upper) const {
  NonSmoothLaw::bounds(lower, upper);
  std::fill_n(lower, equalities_, -std::numeric_limits<double>::infinity());
}

Settings MixedComplementarityConditionNSL::settings() const {
  Settings settings;
  settings.add("size", size_);
  settings.add("equalities", equalities_);
  return settings;
}

}  // namespace delassus
