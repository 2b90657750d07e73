// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/ProjectedTimeStepping.hpp>

#include <delassus/numerics/Error.hpp>
#include <sstream>
#include <string>

namespace delassus {

ProjectedTimeStepping::ProjectedTimeStepping(std::string_view className, NonSmoothDynamicalSystem& model,
                                             TimeDiscretisation discretisation,
                                             std::unique_ptr<OneStepIntegrator> integrator,
                                             std::unique_ptr<OneStepNSProblem> problem,
                                             const ProjectionOptions& projection, const TimeSteppingOptions& options)
    : TimeStepping(model, std::move(discretisation), std::move(integrator), std::move(problem), options),
      projection_(projection, className) {
  if (this->integrator().trialConfigurations() != nullptr) return;
  throw Error(std::string(className), std::string(this->integrator().name()) +
                                          " has no configurations that could be projected on constraints; take "
                                          "MoreauJeanOSI, or TimeStepping without projection.");
}

void ProjectedTimeStepping::project(const TimeStep& timeStep, ConstraintProjection::Contacts contacts) {
  clock().enter(Phase::projection);
  const ConstraintProjection::Result result = projection_.project(trial(), timeStep.end, contacts);
  clock().enter(Phase::update);
  requireUnchangedModel();
  ProjectionReport& done = report().projection;
  done.iterations += result.iterations;
  done.violationBefore = result.violationBefore;
  done.violation = result.violation;
  if (result.converged) return;
  std::ostringstream what;
  what << "the projection on constraints left a violation of " << result.violation << " (tolerance "
       << projectionOptions().tolerance << ", before it " << result.violationBefore << ") after " << result.iterations
       << " iterations; the constraints may contradict each other, or a smaller step may help. "
       << "Last problem: " << result.solve.summary();
  handleFailure(timeStep, what.str());
}

}  // namespace delassus
