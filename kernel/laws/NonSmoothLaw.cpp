// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/numerics/sets/Box.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <delassus/numerics/sets/FreeSpace.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace delassus {

std::string_view toString(MultiplierSet set) {
  switch (set) {
    case MultiplierSet::nonNegative:
      return "complementarity (multiplier >= 0)";
    case MultiplierSet::free:
      return "equality (free multiplier)";
    case MultiplierSet::mixed:
      return "mixed complementarity (some multipliers free, the others >= 0)";
    case MultiplierSet::box:
      return "box (multiplier between bounds)";
    case MultiplierSet::polyhedron:
      return "polyhedron (multiplier in a polyhedron)";
    case MultiplierSet::coulombCone:
      return "Coulomb cone";
    case MultiplierSet::rollingCone:
      return "Coulomb cone with rolling resistance";
  }
  return "unknown";
}

std::shared_ptr<const numerics::ConvexSet> NonSmoothLaw::set() const {
  static const auto space = std::make_shared<numerics::FreeSpace>();
  static const auto box = std::make_shared<numerics::Box>();
  switch (multiplierSet()) {
    case MultiplierSet::free:
      return space;
    case MultiplierSet::coulombCone:
      return std::make_shared<numerics::CoulombCone>(cone().friction);
    case MultiplierSet::rollingCone:
      return std::make_shared<numerics::RollingCone>(cone().friction, cone().rolling);
    default:
      return box;
  }
}

bool NonSmoothLaw::hasOwnSet() const {
  const std::string_view name = set()->name();
  switch (multiplierSet()) {
    case MultiplierSet::free:
      return name != "equality";
    case MultiplierSet::coulombCone:
      return name != "coulomb";
    case MultiplierSet::rollingCone:
      return name != "rolling";
    default:
      return name != "box";
  }
}

void NonSmoothLaw::bounds(double* lower, double* upper) const {
  std::fill_n(lower, unknowns(), 0.);
  std::fill_n(upper, unknowns(), std::numeric_limits<double>::infinity());
}

void NonSmoothLaw::addBlock(double*) const {
}

void NonSmoothLaw::addConstant(double*) const {
}

void NonSmoothLaw::addImpactTerm(const double*, double*) const {
}

double NonSmoothLaw::restitution() const {
  std::vector<double> before(size(), 0.);
  std::vector<double> after(size(), 0.);
  before[0] = 1.;
  addImpactTerm(before.data(), after.data());
  return after[0];
}

}  // namespace delassus
