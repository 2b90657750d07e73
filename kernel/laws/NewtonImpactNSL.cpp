// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RequireCoefficient.hpp>

namespace delassus {

NewtonImpactNSL::NewtonImpactNSL(double e) : e_(e) {
  requireRestitution(e, "NewtonImpactNSL", "restitution");
}

void NewtonImpactNSL::addImpactTerm(const double* velocityBefore, double* freeOutput) const {
  freeOutput[0] += e_ * velocityBefore[0];
}

Settings NewtonImpactNSL::settings() const {
  Settings settings;
  settings.add("e", e_);
  return settings;
}

}  // namespace delassus
