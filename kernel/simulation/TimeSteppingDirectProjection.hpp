// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/simulation/ProjectedTimeStepping.hpp>

namespace delassus {

/// Time stepping with direct projection: after the velocity problem of a step, the configuration is projected on all
/// equalities and on the contacts that are active at the velocity level, so that |h| ≤ tolerance and their gaps are at
/// least −tolerance after each step.
///
///     TimeSteppingDirectProjection simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), MLCP(),
///                                             {.tolerance = 1e-10});
///
/// A contact that closes within a step without being active there (its forecast was open) is not projected: it
/// penetrates at the end of that one step, by up to |ẏ| h, becomes active in the next one, and is projected then.
/// TimeSteppingCombinedProjection has no such steps.
///
/// Positions change without any work: a body lifted out of an obstacle by δ gains m g δ. With joints the order of the
/// energy error stays that of the scheme, 2 for θ = γ = ½ and 1 otherwise; the projection ends the drift of positions.
/// ([Siconos 2017], chapter 13; Acary, Projected event-capturing time-stepping schemes, CMAME 256, 2013.)
class TimeSteppingDirectProjection final : public ProjectedTimeStepping {
 public:
  /// Throws Error as TimeStepping does, if a projection option is not positive, or for an integrator that has no
  /// configurations to project (EulerMoreauOSI).
  ///@{
  template <std::derived_from<OneStepIntegrator> Integrator, std::derived_from<OneStepNSProblem> Problem>
  TimeSteppingDirectProjection(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                               Integrator integrator, Problem problem, const ProjectionOptions& projection = {},
                               const TimeSteppingOptions& options = {})
      : TimeSteppingDirectProjection(model, std::move(discretisation),
                                     std::make_unique<Integrator>(std::move(integrator)),
                                     std::make_unique<Problem>(std::move(problem)), projection, options) {}

  TimeSteppingDirectProjection(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                               std::unique_ptr<OneStepIntegrator> integrator, std::unique_ptr<OneStepNSProblem> problem,
                               const ProjectionOptions& projection = {}, const TimeSteppingOptions& options = {})
      : ProjectedTimeStepping("TimeSteppingDirectProjection", model, std::move(discretisation), std::move(integrator),
                              std::move(problem), projection, options) {}
  ///@}

 private:
  void completeStep(const TimeStep& timeStep) override { project(timeStep, ConstraintProjection::Contacts::active); }
};

}  // namespace delassus
