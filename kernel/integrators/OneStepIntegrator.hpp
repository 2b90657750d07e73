// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <limits>
#include <string_view>
#include <vector>

namespace delassus {

class MotionAudit;
struct SecondOrderWorkspace;

/// A step [begin, end] of time. `size` is h: the same number in every step of a uniform discretisation, which
/// end − begin is not to the last bit.
struct TimeStep {
  double begin = 0.;  ///< t
  double end = 0.;    ///< t⁺
  double size = 0.;   ///< h; 0 in the step that finds the initial multipliers
  /// Times that it was made before (see OneStepIntegrator::missesContact): from 1 on the multipliers of the last
  /// attempt are a better start than those of the step before.
  std::size_t repetition = 0;
  bool keepsDepths = false;  ///< depths of contacts are not taken back
};

/// How far a trial state is from the discrete equations of its step; relative numbers.
struct StepResidual {
  /// Largest of the equations of systems, in which multipliers act as the linearisation of the last pass says, and of
  /// relations that are linearised in their outputs.
  double equations = 0.;
  /// Largest of the last change of velocities (displacements), against these; 0 of schemes that compare equations only.
  double change = 0.;
  std::string_view where;  ///< name of the system or interaction with the larger of both; valid while that is there

  /// The larger one.
  double largest() const { return exceeds(change, equations) ? change : equations; }
  /// Takes in the numbers of a system or interaction.
  void include(double ofEquations, double ofChange, std::string_view name) {
    if (exceeds(ofEquations, largest()) || exceeds(ofChange, largest())) where = name;
    if (exceeds(ofEquations, equations)) equations = ofEquations;
    if (exceeds(ofChange, change)) change = ofChange;
  }

 private:
  // What is not a number exceeds all numbers.
  static bool exceeds(double a, double b) { return a > b || (std::isnan(a) && !std::isnan(b)); }
};

/// A one-step scheme: from the state at t to a trial state at t + h, in the stages of a loop in TimeStepping::step,
///
///     beginStep                        forces at t, forecast of the gaps, index set
///     computeFreeState                 W, free state, blocks, free outputs
///     (one-step problem: multipliers)
///     updateState                      trial state from the multipliers
///     searchChange                     a part of that, once the loop has stalled
///     residual                         Newton's test; again from computeFreeState, or
///     settle                           configurations at the end of the step
///     missesContact                    a contact that it closed unseen; again from beginStep, or
///     prepareAccept                    outputs of the trial state
///     accept                           the trial state becomes the state of the systems
///
/// Everything before accept works on copies, and accept does not fail: an exception in mid-step leaves model and state
/// as they were.
class OneStepIntegrator {
 public:
  virtual ~OneStepIntegrator() = default;

  /// For messages.
  virtual std::string_view name() const = 0;

  /// Builds the workspaces for the model as it is now, and computes the outputs at time t. Throws Error naming a
  /// system, relation or law that this scheme does not take.
  virtual void bind(const NonSmoothDynamicalSystem& model, double t) = 0;

  /// What the one-step problem reads, and its answer.
  ///@{
  virtual StepEquations& equations() = 0;
  virtual const StepEquations& equations() const = 0;
  ///@}

  /// The largest relative degree between multipliers and outputs for which the scheme has consistent multipliers: the
  /// number of derivatives of the output on which it imposes laws, or which it inverts.
  virtual std::size_t maxRelativeDegree() const = 0;

  /// True if the scheme starts from multipliers that fit the initial state; TimeStepping then runs its loop once with a
  /// step of size zero.
  virtual bool needsInitialMultipliers() const { return false; }

  /// Systems that no step computes until something wakes them (see MoreauJeanOptions::sleep).
  virtual std::size_t sleepingSystems() const { return 0; }

  /// For diagnosis: the matrices of the last step (zero for a system that has made none); empty for a scheme that does
  /// not provide them.
  virtual std::vector<IterationMatrix> iterationMatrices() const { return {}; }

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what is kept from step to step.
  virtual void serializeState(StateArchive&) {}

  /// Stages of the loop, in this order: forces at t and index set; W, free state, blocks and free outputs at the trial
  /// state; the trial state from the multipliers. They throw Error naming a result of a user's function that is not
  /// finite or has the wrong size, or the systems of a singular W.
  ///@{
  virtual void beginStep(const TimeStep& timeStep) = 0;
  virtual void computeFreeState() = 0;
  virtual void updateState() = 0;
  ///@}
  /// True if one pass is exact: linear systems, and no active relation that is not linear.
  virtual bool isLinear() const = 0;
  /// Newton's loop has stalled: takes of the change that updateState has made as much, or more of it, as makes the
  /// residual fall, with the multipliers as they are (searchLine of LineSearch.hpp). By default all of it.
  virtual void searchChange() {}
  /// The residual of the discrete equations at the trial state, and its last change of it.
  virtual StepResidual residual() = 0;
  /// Newton's loop has stalled: leaves out of this step what serves its order and may keep the loop from ending.
  virtual void simplify() {}
  /// True if multipliers of contacts are many orders of magnitude above what masses, velocities and forces give, after
  /// a problem was solved: one without a solution may be met ever better by ever larger ones.
  virtual bool multipliersRunAway() const { return false; }
  /// True if the step takes depths of contacts back: it may then be made again with TimeStep::keepsDepths.
  virtual bool takesDepthsBack() const { return false; }
  /// Newton's loop has not ended: begins it anew with relations that stay where the velocities at the beginning of the
  /// step lead, so that only forces are left to iterate. False if the scheme cannot, or has done so in this step. Of
  /// several schemes those that can do so.
  virtual bool holdRelations() { return false; }
  /// The problem has no solution even so: begins the loop anew with joints and contacts that ask for no more than rest,
  /// without restitution. False if that would change nothing, or has been done in this step.
  virtual bool askForRest() { return false; }
  /// Moves the trial state, for which the loop has ended, to where the step ends.
  virtual void settle() {}
  /// True if the trial motion closes a contact that is not in the problem of the step. The step is then made again
  /// from beginStep, with that contact in it; what the scheme keeps of this attempt is void after prepareAccept.
  virtual bool missesContact() { return false; }
  /// The part of accepting the trial state that can fail: the outputs there.
  virtual void prepareAccept() = 0;
  /// Shows the audit the trial state, after prepareAccept; schemes without motion show nothing.
  virtual void show(MotionAudit&) const {}
  /// Makes the trial state that of the systems; outputs, multipliers and activity of the interactions are then those of
  /// the step. Does not fail.
  virtual void accept() = 0;

  /// The trial configurations, for schemes for motion whose steps may be projected on constraints between updateState
  /// and accept: configurations moved there are accepted, with their outputs. Null for other schemes.
  virtual SecondOrderWorkspace* trialConfigurations() { return nullptr; }

 protected:
  /// What rounding may leave of products and sums in a residual, relative to their terms.
  static constexpr double residualRounding = 32. * std::numeric_limits<double>::epsilon();
  /// What is left, relative to its terms: 0 where nothing is, where there are no terms, or where it is so small that
  /// numbers have lost their digits (a body that drag has slowed down for a long time), of which no iteration could
  /// make it less.
  static double relativeTo(double terms, double left) {
    constexpr double leastWithDigits = std::numeric_limits<double>::min() / std::numeric_limits<double>::epsilon();
    return left > leastWithDigits && terms > 0. ? left / terms : 0.;
  }

  OneStepIntegrator() = default;
  OneStepIntegrator(const OneStepIntegrator&) = default;
  OneStepIntegrator(OneStepIntegrator&&) = default;
  OneStepIntegrator& operator=(const OneStepIntegrator&) = default;
  OneStepIntegrator& operator=(OneStepIntegrator&&) = default;
};

}  // namespace delassus
