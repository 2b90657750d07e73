// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {
GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension) : dimension_("GlobalFrictionContact", dimension) {
}

GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension, Given solvers)
    : GlobalOSNS(std::move(solvers)), dimension_("GlobalFrictionContact", dimension) {
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
  return {dimension_.value(), std::move(W), std::move(G), std::move(forces), std::move(outputs), std::move(mu)};
}

}  // namespace delassus
