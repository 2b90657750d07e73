// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/simulation/ConstraintProjection.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// The common part of time stepping with a projection on constraints: TimeStepping whose trial configurations are
/// projected (ConstraintProjection) before a step is accepted. Outputs y and ẏ are those of the projected
/// configuration; velocities and multipliers are not touched by a projection. A projection that does not reach its
/// tolerance is a failure of the step, which the failure policy decides.
class ProjectedTimeStepping : public TimeStepping {
 public:
  /// As given to the constructor.
  const ProjectionOptions& projectionOptions() const { return projection_.options(); }

 protected:
  /// Throws Error, naming `className`, if an option is invalid or the integrator has no configurations to project.
  ProjectedTimeStepping(std::string_view className, NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                        std::unique_ptr<OneStepIntegrator> integrator, std::unique_ptr<OneStepNSProblem> problem,
                        const ProjectionOptions& projection, const TimeSteppingOptions& options);

  /// Projects the trial state, records the projection in report(), and calls the failure policy if it misses the
  /// tolerance.
  void project(const TimeStep& timeStep, ConstraintProjection::Contacts contacts);

  /// After project(): which contacts it pushed open.
  const ConstraintProjection& projection() const { return projection_; }
  /// The trial state of the integrator, which projections move.
  SecondOrderWorkspace& trial() { return *integrator().trialConfigurations(); }

 private:
  void modelWasBound() final { projection_.bind(trial()); }

  ConstraintProjection projection_;
};

}  // namespace delassus
