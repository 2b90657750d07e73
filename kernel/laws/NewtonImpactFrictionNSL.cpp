// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/RequireCoefficient.hpp>
#include <delassus/numerics/sets/AssociatedCone.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>

namespace delassus {
namespace {

std::shared_ptr<const numerics::ConvexSet> coneOf(double mu, Sliding sliding) {
  if (sliding == Sliding::associated) return std::make_shared<numerics::AssociatedCone>(mu);
  return std::make_shared<numerics::CoulombCone>(mu);
}

}  // namespace

NewtonImpactFrictionNSL::NewtonImpactFrictionNSL(double en, double et, double mu, std::size_t dimension,
                                                 Sliding sliding)
    : NonSmoothLaw(coneOf(mu, sliding)), en_(en), et_(et), mu_(mu), dimension_(dimension), sliding_(sliding) {
  const char* const name = "NewtonImpactFrictionNSL";
  requireRestitution(en, name, "normal restitution e_n");
  requireRestitution(et, name, "tangential restitution e_t");
  requireNotNegative(mu, name, "coefficient of friction mu");
  if (sliding == Sliding::associated && hasRestitution()) {
    throw Error(name, "with associated sliding a restitution of 0 is expected, got e_n = " + toText(en) +
                          " and e_t = " + toText(et) + ".");
  }
  if (dimension != 2 && dimension != 3) {
    throw Error(name, "the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
  }
}

void NewtonImpactFrictionNSL::addImpactTerm(const double* velocityBefore, double* freeOutput) const {
  freeOutput[0] += en_ * velocityBefore[0];
  for (std::size_t i = 1; i < dimension_; ++i) freeOutput[i] += et_ * velocityBefore[i];
}

Settings NewtonImpactFrictionNSL::settings() const {
  Settings settings;
  settings.add("en", en_);
  settings.add("et", et_);
  settings.add("mu", mu_);
  settings.add("dimension", dimension_);
  settings.add("sliding", sliding_ == Sliding::coulomb ? "coulomb" : "associated");
  return settings;
}

}  // namespace delassus
