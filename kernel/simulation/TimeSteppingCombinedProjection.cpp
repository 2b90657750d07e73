// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/TimeSteppingCombinedProjection.hpp>

#include <cmath>

namespace delassus {

// Makes the demands anew: those of the last step, however it ended, are gone.
void TimeSteppingCombinedProjection::prepareStep(const TimeStep& timeStep) {
  const double tolerance = projectionOptions().tolerance;
  for (auto& step : trial().interactions) {
    const Interaction& interaction = *step.interaction;
    const std::size_t stride = interaction.law().size();
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      const double gap = interaction.y(0)(block * stride);
      const double change = timeStep.size * interaction.y(1)(block * stride);
      step.demanded[block] = std::abs(gap) <= tolerance && std::abs(change) <= tolerance ? 1 : 0;
    }
  }
}

void TimeSteppingCombinedProjection::completeStep(const TimeStep& timeStep) {
  ProjectionReport done;
  for (;;) {
    report().projection = done;
    project(timeStep, ConstraintProjection::Contacts::all);
    const std::size_t activations = demandPushed();
    if (activations == 0) return;
    done = report().projection;
    done.activations += activations;
    ++done.repeatedSteps;
    integrator().beginStep(timeStep);
    iterate(timeStep);
    requireUnchangedModel();
  }
}

// Demands the contacts that the projection pushed and that were not active; gives their number.
std::size_t TimeSteppingCombinedProjection::demandPushed() {
  std::size_t count = 0;
  for (std::size_t k = 0; k < trial().interactions.size(); ++k) {
    auto& step = trial().interactions[k];
    for (std::size_t block = 0; block < step.active.size(); ++block) {
      if (step.active[block] != 0 || !projection().pushed(k, block)) continue;
      step.demanded[block] = 1;
      ++count;
    }
  }
  return count;
}

}  // namespace delassus
