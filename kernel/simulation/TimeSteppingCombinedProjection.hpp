// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/simulation/ProjectedTimeStepping.hpp>

namespace delassus {

/// Time stepping with combined projection: contacts are active at the velocity level not only by the forecast of their
/// gap, but also where the projection needs them, so that after each step no gap at all is below −tolerance, and every
/// contact that was pushed open has had its impact law in the same step.
///
///     I := contacts whose forecast is closed, or that rest: |y| ≤ tolerance and |h ẏ| ≤ tolerance
///     repeat:  solve the velocity problem with the active contacts I, from the beginning of the step
///              project on equalities, the contacts I, and all contacts whose gap is below −tolerance
///              N := contacts outside I that a projection pushed (Λ > 0);   end if N is empty;   I := I ∪ N
///
/// The second part of the first line avoids repeats for resting contacts, whose gap may be 10⁻¹⁵ on the open side.
///
/// I only grows, so a step ends after at most one pass more than there are contacts; two are usual when a contact
/// closes, and one otherwise. A contact of I stays there even if the last projection does not push it: its law is one
/// of complementarity, which lets it open. (The idea of letting the active sets of velocities and of positions agree is
/// Acary's, CMAME 256, 2013; the rule above, which cannot cycle, is this library's own.)
///
/// While no contact closes it is TimeSteppingDirectProjection at the cost of one more evaluation of all gaps.
class TimeSteppingCombinedProjection final : public ProjectedTimeStepping {
 public:
  /// Throws Error as TimeSteppingDirectProjection does.
  ///@{
  template <std::derived_from<OneStepIntegrator> Integrator, std::derived_from<OneStepNSProblem> Problem>
  TimeSteppingCombinedProjection(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                                 Integrator integrator, Problem problem, const ProjectionOptions& projection = {},
                                 const TimeSteppingOptions& options = {})
      : TimeSteppingCombinedProjection(model, std::move(discretisation),
                                       std::make_unique<Integrator>(std::move(integrator)),
                                       std::make_unique<Problem>(std::move(problem)), projection, options) {}

  TimeSteppingCombinedProjection(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
                                 std::unique_ptr<OneStepIntegrator> integrator,
                                 std::unique_ptr<OneStepNSProblem> problem, const ProjectionOptions& projection = {},
                                 const TimeSteppingOptions& options = {})
      : ProjectedTimeStepping("TimeSteppingCombinedProjection", model, std::move(discretisation), std::move(integrator),
                              std::move(problem), projection, options) {}
  ///@}

 private:
  void prepareStep(const TimeStep& timeStep) override;
  void completeStep(const TimeStep& timeStep) override;
  std::size_t demandPushed();
};

}  // namespace delassus
