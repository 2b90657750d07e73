// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/TimeSteppingCombinedProjection.hpp>

#include <algorithm>

namespace delassus {

// Demands hold for one step, however the last one ended.
void TimeSteppingCombinedProjection::prepareStep(const TimeStep&) {
  trial().restTolerance = projectionOptions().tolerance;
  for (auto& step : trial().interactions) std::fill(step.demanded.begin(), step.demanded.end(), 0);
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
    clock().enter(Phase::freeState);
    integrator().beginStep(timeStep);
    iterate(timeStep);
    requireUnchangedModel();
  }
}

// Demands the contacts that the projection pushed and that were not active; returns their number.
std::size_t TimeSteppingCombinedProjection::demandPushed() {
  std::size_t count = 0;
  for (std::size_t k = 0; k < trial().interactions.size(); ++k) {
    auto& step = trial().interactions[k];
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      if (trial().equations.isActive(k, block) || !projection().pushed(k, block)) continue;
      step.demanded[block] = 1;
      ++count;
    }
  }
  return count;
}

}  // namespace delassus
