// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {

NewtonImpactNSL::NewtonImpactNSL(double e) : e_(e) {
  if (!(e >= 0. && e <= 1.)) {
    throw Error("NewtonImpactNSL", "the coefficient of restitution must be in [0, 1], got " + toText(e) + ".");
  }
}

void NewtonImpactNSL::addImpactTerm(const double* velocityBefore, double* freeOutput) const {
  freeOutput[0] += e_ * velocityBefore[0];
}

}  // namespace delassus
