// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/CheckJacobians.hpp>

#include <algorithm>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>

namespace delassus {

void checkJacobians(DynamicalSystem& system, double t, const JacobianCheck& check) {
  if (FirstOrderDS* const first = system.firstOrder()) first->checkJacobians(t, check);
  if (SecondOrderDS* const body = system.secondOrder()) body->checkJacobians(t, check);
}

void checkJacobians(const Topology& topology, Interaction& interaction, double t, const JacobianCheck& check) {
  const std::string label = "Interaction '" + interaction.name() + "'";
  const std::vector<SystemPart> parts = topology.partsOf(interaction);
  const Vector state = stackedStates(parts);
  if (FirstOrderR* const first = interaction.relation().firstOrder()) {
    first->checkJacobians(t, state, interaction.lambda(0), check, label);
  }
  if (SecondOrderR* const second = interaction.relation().secondOrder()) {
    std::size_t velocities = 0;
    for (const SystemPart& part : parts) velocities += part.velocity().size();
    second->checkJacobians(t, state, velocities, check, label);
  }
}

void checkJacobians(const NonSmoothDynamicalSystem& model, double t, const JacobianCheck& check) {
  const Topology& topology = model.topology();
  for (const auto& system : topology.systems()) checkJacobians(*system, t, check);
  for (const auto& interaction : topology.interactions()) checkJacobians(topology, *interaction, t, check);
  for (const auto& element : topology.elements()) element->checkJacobians(t, check);
}

}  // namespace delassus
