// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

MixedComplementarityConditionNSL::MixedComplementarityConditionNSL(std::size_t equalities,
                                                                   std::size_t complementarities)
    : equalities_(equalities), complementarities_(complementarities) {
  if (size() == 0) throw Error("MixedComplementarityConditionNSL", "there must be at least one row.");
}

void MixedComplementarityConditionNSL::bounds(double* lower, double* upper) const {
  NonSmoothLaw::bounds(lower, upper);
  std::fill_n(lower, equalities_, -std::numeric_limits<double>::infinity());
}

}  // namespace delassus
