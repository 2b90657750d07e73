// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/CheckJacobians.hpp>

#include <algorithm>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>

namespace delassus {

void checkJacobians(const NonSmoothDynamicalSystem& model, double t, const JacobianCheck& check) {
  const Topology& topology = model.topology();
  for (const auto& system : topology.systems()) {
    if (SecondOrderDS* const body = system->secondOrder()) body->checkJacobians(t, check);
  }
  for (const auto& interaction : topology.interactions()) {
    SecondOrderR* const relation = interaction->relation().secondOrder();
    if (relation == nullptr) continue;
    Vector q;
    std::size_t velocities = 0;
    for (const auto& system : topology.systemsOf(*interaction)) {
      const Vector& part = system->secondOrder()->q();
      velocities += system->secondOrder()->dimension();
      const std::size_t offset = q.size();
      q.resize(offset + part.size(), true);
      std::copy(part.begin(), part.end(), q.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    relation->checkJacobians(t, q, velocities, check, "Interaction '" + interaction->name() + "'");
  }
}

}  // namespace delassus
