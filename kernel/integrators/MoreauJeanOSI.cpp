// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>

namespace delassus {
MoreauJeanOSI::MoreauJeanOSI(const MoreauJeanOptions& options)
    : theta_(options.theta),
      gamma_(options.gamma),
      forceTheta_(options.forceTheta.value_or(options.theta)),
      relationGamma_(options.relationGamma.value_or(options.gamma)),
      velocityBefore_(options.velocityBefore) {
  const auto isFraction = [](double x) { return x >= 0. && x <= 1.; };
  if (isFraction(theta_) && isFraction(gamma_) && isFraction(forceTheta_) && isFraction(relationGamma_)) return;
  throw Error("MoreauJeanOSI", "theta and gamma must be in [0, 1], got theta = " + toText(theta_) +
                                   " and gamma = " + toText(gamma_) + " (" + toText(forceTheta_) + " for the forces, " +
                                   toText(relationGamma_) + " for the relations).");
}

// True if W is constant and the forces are known without the state at the end.
bool MoreauJeanOSI::isExact(const SystemStep& step) const {
  return step.system->isLinear() || (forceTheta_ == 0. && step.system->hasConstantMass());
}

void MoreauJeanOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  work_.bind(model, t, name());
  work_.bindNodes();
  if (work_.findStale()) refreshOutputs(t);
}

void MoreauJeanOSI::beginStep(const TimeStep& timeStep) {
  if (work_.findStale()) refreshOutputs(timeStep.begin);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  step_ = timeStep.size;
  placed_ = false;
  forecastContacts();
  for (SystemStep& step : work_.systems) {
    const SecondOrderDS& before = *step.system;
    if (forceTheta_ < 1.) work_.computeForcesBefore(step, begin_);
    assign(before.velocity(), step.v);
    if (forceTheta_ > 0. || relationGamma_ > 0.) {
      for (std::size_t i = 0; i < step.v.size(); ++i) step.displacement(i) = step_ * step.v(i);
      before.move(before.q(), step.displacement, step.q);
    }
    if (relationGamma_ == 0.) assign(before.q(), step.qStar);
    evaluate(step);
    if (!step.system->hasConstantMass()) step.system->requireDefiniteMass(end_, step.mass);
  }
}

void MoreauJeanOSI::forecastContacts() {
  linear_ = work_.linearSystems;
  StepEquations& equations = work_.equations;
  equations.setMultiplierScale(step_);
  for (InteractionStep& step : work_.interactions) {
    Interaction& interaction = *step.interaction;
    const std::size_t rows = interaction.law().size();
    const bool always = !interaction.law().actsOnVelocities();
    const Vector& y = step.interaction->output(0);
    const Vector& yDot = step.interaction->output(1);
    step.anyActive = false;
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      // The first row of a law is the gap; a compliant relation decides itself whether it acts.
      const double gap = y(block * rows);
      const double change = step_ * yDot(block * rows);
      const bool rests = std::max(std::abs(gap), std::abs(change)) <= work_.restTolerance;
      const bool closed = gap + gamma_ * change <= 0. || rests || step.demanded[block] != 0;
      const bool active = step.compliant || always || closed;
      equations.setActive(step.number, block, active);
      step.anyActive = step.anyActive || active;
    }
    assign(interaction.multiplier(1), equations.multiplier(step.number));
    equations.setFeedthrough(step.number, step.compliant ? &step.compliance : nullptr);
    if (step.anyActive) linear_ = linear_ && isFixed(step);
  }
}

// Forces and residual M (v − v_k) − hθ F − h(1 − θ) F_k at the trial state.
void MoreauJeanOSI::evaluate(SystemStep& step) {
  SecondOrderDS& system = *step.system;
  if (forceTheta_ > 0.) work_.computeForces(step, end_, step.q, step.v);
  const double after = step_ * forceTheta_;
  const double before = step_ * (1. - forceTheta_);
  for (std::size_t i = 0; i < step.v.size(); ++i) {
    step.residual(i) = -after * step.forces(i) - before * step.forcesBefore(i);
  }
  // In its only iteration a linear system starts from v = v_k.
  if (step.linear && step.factoredStep == step_ && linear_ && !work_.anyCompliant) return;
  const Vector& v = system.velocity();
  for (std::size_t i = 0; i < v.size(); ++i) {
    step.displacement(i) = step_ * relationGamma_ * ((1. - theta_) * v(i) + theta_ * step.v(i));
    step.vChange(i) = step.v(i) - v(i);
  }
  system.move(system.q(), step.displacement, step.qStar);
  work_.computeMass(step, end_, step.qStar);
  multiply(1., step.mass, step.vChange, 1., step.residual);
}

void MoreauJeanOSI::linearise(SystemStep& step) {
  if (step.linear && step.factoredStep == step_) return;
  SecondOrderDS& system = *step.system;
  step.W = step.mass;
  if (forceTheta_ > 0.) {
    work_.forceJacobians(step, end_, step.q, step.v);
    const double first = step_ * forceTheta_;
    const double second = first * step_ * theta_;
    for (std::size_t k = 0; k < step.W.data().size(); ++k) {
      step.W.data()[k] -= first * work_.byV.data()[k] + second * work_.byQ.data()[k];
    }
  }
  step.factoredStep = 0.;
  if (!step.factor.tryFactor(step.W)) {
    step.factor.factor(step.W, "System '" + system.name() +
                                   "': iteration matrix W = M + h theta C + h^2 theta^2 K at t = " + toText(end_));
  }
  step.factoredStep = step_;
  ++step.factorVersion;
  work_.equations.touchBlocks();
}

void MoreauJeanOSI::computeFreeState() {
  for (SystemStep& step : work_.systems) {
    linearise(step);
    assign(step.residual, step.vFree);
    step.factor.solve(step.vFree);
    for (std::size_t i = 0; i < step.v.size(); ++i) step.vFree(i) = step.v(i) - step.vFree(i);
  }
  for (InteractionStep& step : work_.interactions) {
    if (!step.anyActive) continue;
    if (step.compliant) computeForce(step);
    computeBlocks(step);
    if (!step.compliant) computeFreeOutput(step);
  }
  if (!work_.anyCompliant) return;
  if (!placed_) placeCompliantRelations();
  for (InteractionStep& step : work_.interactions) {
    if (step.anyActive && step.compliant) computeCompliantFreeOutput(step);
  }
}

void MoreauJeanOSI::updateState() {
  work_.applyMultipliers(&SystemStep::v, !linear_);
  for (SystemStep& step : work_.systems) {
    const SecondOrderDS& before = *step.system;
    for (std::size_t i = 0; i < step.v.size(); ++i) {
      step.displacement(i) = step_ * (theta_ * step.v(i) + (1. - theta_) * before.velocity()(i));
    }
    before.move(before.q(), step.displacement, step.q);
  }
}

StepResidual MoreauJeanOSI::residual() {
  StepResidual worst;
  for (SystemStep& step : work_.systems) {
    // Taking maxima would get lost in the maxima.
    if (!allFinite(step.v)) return {std::numeric_limits<double>::infinity(), 0., step.system->name()};
    const Vector& v = step.system->velocity();
    const double change = normInf(step.vChange);
    double speed = std::max({normInf(step.v), normInf(v), normInf(step.vReach)});
    for (std::size_t i = 0; i < v.size(); ++i) speed = std::max(speed, std::abs(step.vFree(i) - v(i)));
    evaluate(step);
    double left = 0.;
    double scale = normInf(step.pReach);
    for (std::size_t i = 0; i < v.size(); ++i) {
      left = std::max(left, std::abs(step.residual(i) - step.p(i)));
      scale = std::max({scale, std::abs(step.residual(i)), step_ * std::abs(step.forces(i)),
                        step_ * std::abs(step.forcesBefore(i))});
    }
    // M (v − v_k) is known only up to rounding in M v, however small the forces are.
    const double momentum = static_cast<double>(v.size()) * normMax(step.mass) * speed;
    left -= residualRounding * momentum;
    worst.include(left > 0. ? left / scale : 0., speed > 0. ? change / speed : 0., step.system->name());
  }
  return worst;
}

void MoreauJeanOSI::prepareAccept() {
  for (InteractionStep& step : work_.interactions) {
    computeForce(step);
    computeOutputs(step, end_);
  }
}

void MoreauJeanOSI::accept() {
  for (InteractionStep& step : work_.interactions) {
    step.interaction->output(0).swap(step.y);
    step.interaction->output(1).swap(step.yDot);
    assign(step.force, step.interaction->multiplier(0));
    assign(work_.equations.multiplier(step.number), step.interaction->multiplier(1));
    step.holdsJacobian = !step.timeDependent;
    step.isReset = false;
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      step.interaction->setActive(block, work_.equations.isActive(step.number, block));
    }
  }
  for (SystemStep& step : work_.systems) step.system->accept(begin_, step.q, step.v, step.p);
}

// The mean force of the step.
void MoreauJeanOSI::computeForce(InteractionStep& step) const {
  const double* const multiplier = work_.equations.multiplier(step.number);
  for (std::size_t i = 0; i < step.force.size(); ++i) step.force(i) = multiplier[i] / step_;
}

Settings MoreauJeanOSI::settings() const {
  Settings settings;
  settings.add("theta", theta_);
  settings.add("gamma", gamma_);
  settings.add("forceTheta", forceTheta_);
  settings.add("relationGamma", relationGamma_);
  settings.add("velocityBefore", velocityBefore_ == VelocityBefore::atBegin ? "atBegin" : "inStepFrame");
  return settings;
}

void MoreauJeanOSI::serializeState(StateArchive& archive) {
  archive.section("MoreauJeanOSI");
  archive.value("begin", begin_);
  archive.value("end", end_);
  archive.value("step", step_);
  archive.value("linear", linear_);
  archive.value("placed", placed_);
  work_.serializeState(archive);
}

}  // namespace delassus
