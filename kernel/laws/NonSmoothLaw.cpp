// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

std::string_view toString(MultiplierSet set) {
  switch (set) {
    case MultiplierSet::nonNegative:
      return "complementarity (multiplier >= 0)";
    case MultiplierSet::free:
      return "equality (free multiplier)";
    case MultiplierSet::box:
      return "box";
    case MultiplierSet::coulombCone:
      return "Coulomb cone";
  }
  return "unknown";
}

void NonSmoothLaw::addImpactTerm(const double*, double*) const {
}

}  // namespace delassus
