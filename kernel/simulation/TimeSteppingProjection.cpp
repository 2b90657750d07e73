// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/simulation/ConstraintProjection.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Error.hpp>
#include <sstream>
#include <string>

namespace delassus {

void TimeStepping::requireConfigurations() const {
  if (!projection_ || integrator_->trialConfigurations() != nullptr) return;
  const std::string advice = schemeBySystems_ ? ", which first-order systems ask for, has" : " has";
  throw Error("TimeStepping", std::string(integrator_->name()) + advice +
                                  " no configurations that could be projected on constraints; only MoreauJeanOSI has, "
                                  "for systems that move. Leave the projection out.");
}

// Demands of a combined projection hold for one step, however the last one ended.
void TimeStepping::dropDemands() {
  if (options_.projection.kind != Projection::combined) return;
  SecondOrderWorkspace& trial = *integrator_->trialConfigurations();
  trial.restTolerance = options_.projection.tolerance;
  for (auto& step : trial.interactions) std::fill(step.demanded.begin(), step.demanded.end(), 0);
}

// False where the step is to be made again otherwise.
bool TimeStepping::project(const TimeStep& timeStep) {
  if (!projection_) return true;
  ProjectionReport done;
  for (;;) {
    report_.projection = done;
    projectOnce(timeStep);
    const std::size_t activations = projection_->demandPushed(*integrator_->trialConfigurations());
    if (activations == 0) return true;
    done = report_.projection;
    done.activations += activations;
    ++done.repeatedSteps;
    if (!findTrial(timeStep)) return false;
  }
}

void TimeStepping::projectOnce(const TimeStep& timeStep) {
  clock().enter(Phase::projection);
  const ConstraintProjection::Result result = projection_->project(*integrator_->trialConfigurations(), timeStep.end);
  clock().enter(Phase::update);
  requireUnchangedModel();
  ProjectionReport& done = report_.projection;
  done.iterations += result.iterations;
  done.violationBefore = result.violationBefore;
  done.violation = result.violation;
  if (result.converged) return;
  std::ostringstream what;
  what << "the projection on constraints left a violation of " << result.violation << " (tolerance "
       << options_.projection.tolerance << ", before it " << result.violationBefore << ") after " << result.iterations
       << " iterations; the constraints may contradict each other, or a smaller step may help. "
       << "Last problem: " << result.solve.summary();
  handleFailure(Failure::projection, timeStep, what.str());
  requireUnchangedModel();
}

}  // namespace delassus
