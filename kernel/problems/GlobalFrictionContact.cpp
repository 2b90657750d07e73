// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <string>

namespace delassus {
namespace {

void addGlobalFrictionDefaults(SolverList<numerics::GlobalFrictionContactProblem>& solvers, double tolerance) {
  solvers.add(numerics::AutomaticGlobalSolver(tolerance));
}

}  // namespace

GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension, Chain solvers)
    : GlobalOSNS(std::move(solvers)), dimension_(dimension) {
  if (dimension == 2 || dimension == 3) return;
  throw Error("GlobalFrictionContact", "the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
}

GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension)
    : GlobalFrictionContact(dimension, Chain(addGlobalFrictionDefaults)) {
}

bool GlobalFrictionContact::takes(const NonSmoothLaw& law) const {
  return law.set()->coulombFriction() && law.size() == dimension_;
}

std::string_view GlobalFrictionContact::takenLaws() const {
  return dimension_ == 2 ? "Coulomb friction of size 2" : "Coulomb friction of size 3";
}

numerics::GlobalFrictionContactProblem GlobalFrictionContact::make(const DelassusAssembly& assembly,
                                                                   std::shared_ptr<const SparseInverse> W,
                                                                   SparseMatrix G) const {
  if (!W->isDefinite()) {
    throw Error(
        "GlobalFrictionContact",
        "the iteration matrix of a system is not symmetric (gyroscopic forces, say), or not positive definite; use "
        "MoreauJeanOSI::semiExplicit, or the problem FrictionContact.");
  }
  Vector mu, forces(W->size()), outputs(assembly.size());
  assembly.assembleFriction(mu);
  return {dimension_, std::move(W), std::move(G), std::move(forces), std::move(outputs), std::move(mu)};
}

Settings GlobalFrictionContact::settings() const {
  Settings settings;
  settings.add("dimension", dimension_);
  const Settings solvers = GlobalOSNS::settings();
  for (const Setting& setting : solvers.list()) settings.add(setting.name, setting.value);
  return settings;
}

}  // namespace delassus
