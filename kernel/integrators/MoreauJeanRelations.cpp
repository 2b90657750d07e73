// SPDX-License-Identifier: Apache-2.0
//
// The part of MoreauJeanOSI that evaluates relations: blocks, free outputs and outputs.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

// A compliant contact of stiffness k on a mass m is resolved up to this k h²/m: its half oscillation takes six steps or
// more, and its exit speed is off by 1.6 % at most, whatever the phase in which it begins (worst case over phases,
// computed).
constexpr double resolvedStiffness = 0.3;

}  // namespace

// G and drift do not change with the trial state.
bool MoreauJeanOSI::isFixed(const InteractionStep& step) const {
  return step.linear || (relationGamma_ == 0. && !step.compliant);
}

void MoreauJeanOSI::refuseUnsupported(const InteractionStep& step) const {
  const auto label = [&] { return "Interaction '" + step.interaction->name() + "'"; };
  const NonSmoothLaw& law = step.interaction->law();
  if (!law.actsOnVelocities() && !(law.relatesRates() && law.hasIntervals())) {
    if (step.compliant && law.isComplementarity()) {
      throw Error(label(),
                  "of a compliant relation MoreauJeanOSI imposes 0 <= y and 0 <= lambda on y itself by "
                  "NewtonImpactNSL(0.): take that law in the place of " +
                      std::string(law.className()) +
                      ", with LagrangianCompliantR or LagrangianLinearTIR and setD as here.");
    }
    throw Error(label(),
                "MoreauJeanOSI takes laws of impact, equalities and boxes (EqualityConditionNSL, RelayNSL) on "
                "velocities, but " +
                    std::string(law.className()) + " relates outputs and " + law.multipliersInWords() +
                    (law.hasIntervals() && !law.relatesRates()
                         ? "; a law of one's own that relates rates to forces says so by relatesRates()."
                         : "."));
  }
  if (!step.compliant) return;
  if (law.set()->isContact()) throw Error(label(), "a compliant relation is not taken with a law of friction.");
  if (step.interaction->law().hasRestitution()) {
    throw Error(label(),
                "a compliant relation stores and returns the energy of the contact by itself, so its law must have no "
                "restitution; use NewtonImpactNSL(0.).");
  }
  if (!(theta_ > 0.) || !(relationGamma_ > 0.)) {
    throw Error(label(), "a compliant relation needs theta > 0 and gamma > 0 in MoreauJeanOSI.");
  }
}

void MoreauJeanOSI::refreshOutputs(double t) {
  // First everything that can fail, then the rest: a failure leaves the outputs stale, to be computed again.
  work_.linearSystems = true;
  for (SystemStep& step : work_.systems) {
    assign(step.system->q(), step.q);
    assign(step.system->velocity(), step.v);
    const bool linear = isExact(step);
    // What is linear has constant matrices, whatever its parameters are.
    if (step.stale || (step.changed && linear != step.linear)) step.factoredStep = 0.;
    if (step.stale || step.changed) step.linear = linear;
    work_.linearSystems = work_.linearSystems && step.linear;
  }
  work_.anyCompliant = false;
  for (InteractionStep& step : work_.interactions) {
    if (step.stale) refresh(step, t);
    work_.anyCompliant = work_.anyCompliant || step.compliant;
  }
  for (InteractionStep& step : work_.interactions) {
    if (!step.stale) continue;
    assign(step.y, step.interaction->output(0));
    assign(step.yDot, step.interaction->output(1));
    step.holdsJacobian = !step.timeDependent;
  }
  work_.markFresh();
}

void MoreauJeanOSI::refresh(InteractionStep& step, double t) {
  if (step.parameterChanges == SecondOrderWorkspace::never) {
    step.interaction->requireConfiguration(t, work_.stacked(step, &SystemStep::q));
  }
  step.blocksFactors = static_cast<std::uint64_t>(-1);
  step.holdsJacobian = false;
  step.isReset = true;
  assign(step.interaction->lambda(0), step.force);
  refuseUnsupported(step);
  if (step.linear) computeBlocks(step);
  computeOutputs(step, t);
}

// Decides for this step where compliant relations are imposed: at q* if the step resolves the contact, at the end if
// not. The stiffness of a contact is measured against the mass that all compliant contacts of its systems leave it.
void MoreauJeanOSI::placeCompliantRelations() {
  placed_ = true;
  for (SystemStep& system : work_.systems) setZero(system.vReach);
  for (const InteractionStep& step : work_.interactions) {
    if (!step.compliant) continue;
    for (std::size_t c = step.begin; c < step.end; ++c) {
      const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
      Vector& reach = work_.systems[coupling.node].vReach;
      const double* right = coupling.right;
      for (std::size_t j = 0; j < coupling.rows; ++j) {
        for (std::size_t i = 0; i < coupling.columns; ++i) reach(i) += std::abs(*right++);
      }
    }
  }
  for (InteractionStep& step : work_.interactions) {
    if (!step.compliant || isResolved(step) == step.resolved) continue;
    step.resolved = !step.resolved;
    step.blocksFactors = static_cast<std::uint64_t>(-1);
    computeBlocks(step);
  }
}

bool MoreauJeanOSI::isResolved(const InteractionStep& step) const {
  for (std::size_t i = 0; i < step.compliance.size1(); ++i) {
    double inverseMass = 0.;
    std::size_t column = 0;
    for (std::size_t c = step.begin; c < step.end; ++c) {
      for (const double reach : work_.systemOf(c).vReach) inverseMass += std::abs(step.G(i, column++)) * reach;
    }
    // compliance is D/(h²αθ) here.
    if (inverseMass > resolvedStiffness * theta_ * fractionOf(step) * step.compliance(i, i)) return false;
  }
  return true;
}

// G and W⁻¹Gᵀ, unless they are still valid.
void MoreauJeanOSI::computeBlocks(InteractionStep& step) {
  std::uint64_t factors = 0;
  bool factored = true;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const SystemStep& system = work_.systemOf(c);
    factors += system.factorVersion;
    factored = factored && system.factoredStep > 0.;
  }
  if (step.linear && factors == step.blocksFactors) return;
  const auto place = placeOf(step);
  // Uses the Jacobian of the last accepted state, if it is still available.
  if (relationGamma_ > 0. || !step.holdsJacobian) {
    work_.computeJacobian(step, end_, place, step.G);
  } else if (!step.linear) {
    std::copy(step.acceptedG.data().begin(), step.acceptedG.data().end(), data(step.G));
  }
  if (factored) work_.solveForRight(step);
  if (step.compliant && factored) {
    work_.computeCompliance(step, end_, place);
    for (double& entry : step.compliance.data()) entry /= step_ * step_ * theta_ * fractionOf(step);
  }
  step.blocksFactors = factored ? factors : static_cast<std::uint64_t>(-1);
}

void MoreauJeanOSI::computeFreeOutput(InteractionStep& step) {
  double* const free = work_.equations.freeOutput(step.number);
  double* const before = work_.equations.outputBefore(step.number);
  work_.computeDrift(step, end_, &SystemStep::qStar, output_);
  assign(output_, free);
  work_.addRate(step, &SystemStep::vFree, free);
  if (takesFrameVelocity(step)) {
    computeRateBefore(step);
    assign(output_, before);
  } else {
    assign(step.interaction->output(1), before);
  }
  if (isMean(step) && !(step.isReset && jolts(step))) addVelocityBefore(step, free);
}

// G(q*) v + ∂h/∂t with v and t at the beginning of the step, into output_.
void MoreauJeanOSI::computeRateBefore(const InteractionStep& step) {
  work_.computeDrift(step, begin_, &SystemStep::qStar, output_);
  for (std::size_t c = step.begin; c < step.end; ++c) {
    work_.equations.couplings()[c].addOutput(data(work_.systemOf(c).system->velocity()), data(output_));
  }
}

// An equality whose G changes: with G at the middle of the step it constrains the mean velocity of the step.
bool MoreauJeanOSI::isMean(const InteractionStep& step) const {
  return relationGamma_ == 0.5 && theta_ > 0. && theta_ < 1. && !step.linear &&
         step.interaction->law().set()->isFree() && !step.interaction->law().actsOnVelocities();
}

// After a start or a reset velocities need not satisfy joints; the plain law then corrects them.
bool MoreauJeanOSI::jolts(const InteractionStep& step) const {
  constexpr double rounding = 1e-9;
  const Vector& rate = step.interaction->output(1);
  for (std::size_t i = 0; i < rate.size(); ++i) {
    double reach = 0.;
    std::size_t column = 0;
    for (std::size_t c = step.begin; c < step.end; ++c) {
      for (const double v : work_.systemOf(c).system->velocity()) reach += std::abs(step.G(i, column++) * v);
    }
    if (std::abs(rate(i)) > rounding * reach) return true;
  }
  return false;
}

// Adds (1 − θ)/θ (G(q*) v + ∂h/∂t − ẏ), with v, t and ẏ at the beginning of the step, so that a change of G within the
// step counts, but a nonzero rate from before does not change its sign.
void MoreauJeanOSI::addVelocityBefore(const InteractionStep& step, double* free) {
  const double weight = (1. - theta_) / theta_;
  computeRateBefore(step);
  const Vector& rate = step.interaction->output(1);
  for (std::size_t i = 0; i < rate.size(); ++i) free[i] += weight * (output_(i) - rate(i));
}

// Tangents of a contact are chosen again at each configuration: velocities before and after can only be added in one
// frame, that of q*.
bool MoreauJeanOSI::takesFrameVelocity(const InteractionStep& step) const {
  const NonSmoothLaw& law = step.interaction->law();
  return velocityBefore_ == VelocityBefore::inStepFrame && law.set()->isContact() && law.hasRestitution();
}

// y linearised about the trial state at its place (a fraction α of the step), divided by hαθ so that its block is again
// G W⁻¹ Gᵀ: with λ = p_old / h, h(q, λ)/(hαθ) + G (v⁺ − v) + D (p − p_old)/(h²αθ).
void MoreauJeanOSI::computeCompliantFreeOutput(InteractionStep& step) {
  work_.computeOutput(step, end_, placeOf(step), output_);
  for (double& entry : output_) entry /= step_ * theta_ * fractionOf(step);
  multiply(-1., step.compliance, work_.equations.multiplier(step.number), 1., data(output_));
  for (std::size_t c = step.begin; c < step.end; ++c) {
    SystemStep& system = work_.systemOf(c);
    for (std::size_t i = 0; i < system.v.size(); ++i) system.vChange(i) = system.vFree(i) - system.v(i);
  }
  work_.addRate(step, &SystemStep::vChange, data(output_));
  assign(output_, work_.equations.freeOutput(step.number));
  assign(step.interaction->output(1), work_.equations.outputBefore(step.number));
}

void MoreauJeanOSI::computeOutputs(InteractionStep& step, double t) {
  work_.computeOutput(step, t, &SystemStep::q, step.y);
  work_.computeDrift(step, t, &SystemStep::q, step.yDot);
  if (step.linear) {
    work_.addRate(step, &SystemStep::v, data(step.yDot));
  } else if (relationGamma_ == 0.) {
    step.holdsJacobian = false;
    work_.computeJacobian(step, t, &SystemStep::q, step.acceptedG);
    multiply(1., step.acceptedG, work_.stacked(step, &SystemStep::v), 1., step.yDot);
  } else {
    work_.addRateAt(step, t, &SystemStep::q, &SystemStep::v, step.yDot);
  }
}

}  // namespace delassus
