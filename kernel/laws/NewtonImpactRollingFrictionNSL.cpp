// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/laws/RequireCoefficient.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>

namespace delassus {

NewtonImpactRollingFrictionNSL::NewtonImpactRollingFrictionNSL(double en, double et, double mu, double muRolling)
    : NonSmoothLaw(std::make_shared<numerics::RollingCone>(mu, muRolling)),
      en_(en),
      et_(et),
      mu_(mu),
      muRolling_(muRolling) {
  const char* const name = "NewtonImpactRollingFrictionNSL";
  requireRestitution(en, name, "normal restitution e_n");
  requireRestitution(et, name, "tangential restitution e_t");
  requireNotNegative(mu, name, "coefficient of friction mu");
  requireNotNegative(muRolling, name, "coefficient of rolling friction mu_R");
}

void NewtonImpactRollingFrictionNSL::addImpactTerm(const double* velocityBefore, double* freeOutput) const {
  freeOutput[0] += en_ * velocityBefore[0];
  for (std::size_t i = 1; i < 3; ++i) freeOutput[i] += et_ * velocityBefore[i];
}

Settings NewtonImpactRollingFrictionNSL::settings() const {
  Settings settings;
  settings.add("en", en_);
  settings.add("et", et_);
  settings.add("mu", mu_);
  settings.add("muRolling", muRolling_);
  return settings;
}

}  // namespace delassus
