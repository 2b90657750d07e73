// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>

#include <algorithm>
#include <atomic>
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
  if (options.sleep) sleep_.emplace(*options.sleep);
  const auto isFraction = [](double x) { return x >= 0. && x <= 1.; };
  if (isFraction(theta_) && isFraction(gamma_) && isFraction(forceTheta_) && isFraction(relationGamma_)) return;
  throw Error("MoreauJeanOSI", "theta and gamma must be in [0, 1], got theta = " + toText(theta_) +
                                   " and gamma = " + toText(gamma_) + " (" + toText(forceTheta_) + " for the forces, " +
                                   toText(relationGamma_) + " for the relations).");
}

// True if W is constant and the forces are known without the state at the end.
bool MoreauJeanOSI::isExact(const SystemWork& work) const {
  return work.system->isLinear() || (forceTheta_ == 0. && work.system->hasConstantMass());
}

void MoreauJeanOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  work_.bind(model, t, name());
  work_.bindNodes();
  awaken(t, t, sleep_ && sleep_->bind(work_));
}

// Takes in what has changed since the last step, and what woke by that.
void MoreauJeanOSI::awaken(double t, double end, bool anyWoke) {
  const bool isStale = work_.findStale();
  if (sleep_) anyWoke = sleep_->wake(work_, t, end) || anyWoke;
  if (isStale || anyWoke) refreshOutputs(t);
}

void MoreauJeanOSI::beginStep(const TimeStep& timeStep) {
  awaken(timeStep.begin, timeStep.end, false);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  h_ = timeStep.size;
  placed_ = false;
  forecastContacts();
  work_.systems.forEach([&](SystemWork& work) {
    const SecondOrderDS& before = *work.system;
    if (work.evaluated) work.evaluated->forget();
    if (forceTheta_ < 1.) work.system->forces(begin_, before.q(), before.velocity(), work.forcesBefore);
    assign(before.velocity(), work.v);
    if (forceTheta_ > 0. || relationGamma_ > 0.) {
      for (std::size_t i = 0; i < work.v.size(); ++i) work.displacement(i) = h_ * work.v(i);
      before.move(before.q(), work.displacement, work.q);
    }
    if (relationGamma_ == 0.) assign(before.q(), work.qStar);
    evaluate(work);
    if (!work.system->hasConstantMass()) work.system->requireDefiniteMass(end_, work.mass);
  });
}

void MoreauJeanOSI::forecastContacts() {
  StepEquations& equations = work_.equations;
  equations.setMultiplierScale(h_);
  std::atomic<bool> areFixed = true;
  work_.interactions.forEach([&](InteractionWork& work) {
    Interaction& interaction = *work.interaction;
    const std::size_t rows = interaction.law().size();
    const bool always = !interaction.law().actsOnVelocities() || interaction.law().actsAcrossGaps();
    const Vector& y = work.interaction->output(0);
    const Vector& yDot = work.interaction->output(1);
    work.anyActive = false;
    for (std::size_t block = 0; block < work.demanded.size(); ++block) {
      // The first row of a law is the gap; a compliant relation decides itself whether it acts.
      const double gap = y(block * rows);
      const double change = h_ * yDot(block * rows);
      const bool rests = std::max(std::abs(gap), std::abs(change)) <= work_.restTolerance;
      const bool closed = gap + gamma_ * change <= 0. || rests || work.demanded[block] != 0;
      const bool active = work.compliant || always || closed;
      equations.setActive(work.number, block, active);
      work.anyActive = work.anyActive || active;
    }
    assign(interaction.multiplier(1), equations.multiplier(work.number));
    equations.setFeedthrough(work.number, work.compliant ? &work.compliance : nullptr);
    if (work.anyActive && !isFixed(work)) areFixed.store(false, std::memory_order_relaxed);
  });
  linear_ = work_.linearSystems && areFixed;
}

// Forces and residual M (v − v_k) − hθ F − h(1 − θ) F_k at the trial state.
void MoreauJeanOSI::evaluate(SystemWork& work) {
  SecondOrderDS& system = *work.system;
  if (forceTheta_ > 0.) work_.computeForces(work, end_, work.q, work.v);
  const double after = h_ * forceTheta_;
  const double before = h_ * (1. - forceTheta_);
  for (std::size_t i = 0; i < work.v.size(); ++i) {
    work.residual(i) = -after * work.forces(i) - before * work.forcesBefore(i);
  }
  // In its only iteration a linear system starts from v = v_k.
  if (work.linear && work.factoredStep == h_ && linear_ && !work_.anyCompliant) return;
  const Vector& v = system.velocity();
  for (std::size_t i = 0; i < v.size(); ++i) {
    work.displacement(i) = h_ * relationGamma_ * ((1. - theta_) * v(i) + theta_ * work.v(i));
    work.vChange(i) = work.v(i) - v(i);
  }
  system.move(system.q(), work.displacement, work.qStar);
  work_.computeMass(work, end_, work.qStar);
  multiply(1., work.mass, work.vChange, 1., work.residual);
}

void MoreauJeanOSI::linearise(SystemWork& work) {
  if (work.linear && work.factoredStep == h_) return;
  SecondOrderDS& system = *work.system;
  work.W = work.mass;
  if (forceTheta_ > 0.) {
    work_.forceJacobians(work, end_, work.q, work.v);
    const double first = h_ * forceTheta_;
    const double second = first * h_ * theta_;
    for (std::size_t k = 0; k < work.W.data().size(); ++k) {
      work.W.data()[k] -= first * work_.byV.data()[k] + second * work_.byQ.data()[k];
    }
  }
  work.factoredStep = 0.;
  if (!work.factor.tryFactor(work.W)) {
    work.factor.factor(work.W, "System '" + system.name() +
                                   "': iteration matrix W = M + h theta C + h^2 theta^2 K at t = " + toText(end_));
  }
  work.factoredStep = h_;
  ++work.factorVersion;
  work_.equations.touchBlocks();
}

void MoreauJeanOSI::computeFreeState() {
  for (SystemWork& work : work_.systems) linearise(work);
  work_.systems.forEach([](SystemWork& work) {
    assign(work.residual, work.vFree);
    work.factor.solve(work.vFree);
    for (std::size_t i = 0; i < work.v.size(); ++i) work.vFree(i) = work.v(i) - work.vFree(i);
  });
  work_.interactions.forEach([this](InteractionWork& work) {
    if (!work.anyActive) return;
    if (work.compliant) computeForce(work);
    computeBlocks(work);
    if (!work.compliant) computeFreeOutput(work);
  });
  if (!work_.anyCompliant) return;
  if (!placed_) placeCompliantRelations();
  for (InteractionWork& work : work_.interactions) {
    if (work.anyActive && work.compliant) computeCompliantFreeOutput(work);
  }
}

void MoreauJeanOSI::updateState() {
  work_.applyMultipliers(&SystemWork::v, !linear_);
  work_.systems.forEach([this](SystemWork& work) {
    const SecondOrderDS& before = *work.system;
    for (std::size_t i = 0; i < work.v.size(); ++i) {
      work.displacement(i) = h_ * (theta_ * work.v(i) + (1. - theta_) * before.velocity()(i));
    }
    before.move(before.q(), work.displacement, work.q);
  });
}

StepResidual MoreauJeanOSI::residual() {
  StepResidual worst;
  for (SystemWork& work : work_.systems) {
    // Taking maxima would get lost in the maxima.
    if (!allFinite(work.v)) return {std::numeric_limits<double>::infinity(), 0., work.system->name()};
    const Vector& v = work.system->velocity();
    const double change = normInf(work.vChange);
    double speed = std::max({normInf(work.v), normInf(v), normInf(work.vReach)});
    for (std::size_t i = 0; i < v.size(); ++i) speed = std::max(speed, std::abs(work.vFree(i) - v(i)));
    evaluate(work);
    double left = 0.;
    double scale = normInf(work.pReach);
    for (std::size_t i = 0; i < v.size(); ++i) {
      left = std::max(left, std::abs(work.residual(i) - work.p(i)));
      scale = std::max(
          {scale, std::abs(work.residual(i)), h_ * std::abs(work.forces(i)), h_ * std::abs(work.forcesBefore(i))});
    }
    // M (v − v_k) is known only up to rounding in M v, however small the forces are.
    const double momentum = static_cast<double>(v.size()) * normMax(work.mass) * speed;
    left -= residualRounding * momentum;
    worst.include(left > 0. ? left / scale : 0., speed > 0. ? change / speed : 0., work.system->name());
  }
  return worst;
}

void MoreauJeanOSI::prepareAccept() {
  work_.interactions.forEach([this](InteractionWork& work) {
    computeForce(work);
    computeOutputs(work, end_);
  });
}

void MoreauJeanOSI::accept() {
  if (sleep_) sleep_->observe(work_, h_);
  work_.interactions.forEach([this](InteractionWork& work) {
    work.interaction->output(0).swap(work.y);
    work.interaction->output(1).swap(work.yDot);
    assign(work.force, work.interaction->multiplier(0));
    assign(work_.equations.multiplier(work.number), work.interaction->multiplier(1));
    work.holdsJacobian = !work.timeDependent;
    work.isReset = false;
    for (std::size_t block = 0; block < work.demanded.size(); ++block) {
      work.interaction->setActive(block, work_.equations.isActive(work.number, block));
    }
  });
  work_.systems.forEach([this](SystemWork& work) { work.system->accept(begin_, work.q, work.v, work.p); });
}

// The mean force of the step.
void MoreauJeanOSI::computeForce(InteractionWork& work) const {
  const double* const multiplier = work_.equations.multiplier(work.number);
  for (std::size_t i = 0; i < work.force.size(); ++i) work.force(i) = multiplier[i] / h_;
}

Settings MoreauJeanOSI::settings() const {
  Settings settings;
  settings.add("theta", theta_);
  settings.add("gamma", gamma_);
  settings.add("forceTheta", forceTheta_);
  settings.add("relationGamma", relationGamma_);
  settings.add("velocityBefore", velocityBefore_ == VelocityBefore::atBegin ? "atBegin" : "inStepFrame");
  if (sleep_) {
    settings.add("sleepSpeed", sleep_->options().speed);
    settings.add("sleepTime", sleep_->options().time);
  }
  return settings;
}

void MoreauJeanOSI::serializeState(StateArchive& archive) {
  archive.section("MoreauJeanOSI");
  archive.value("begin", begin_);
  archive.value("end", end_);
  archive.value("step", h_);
  archive.value("linear", linear_);
  archive.value("placed", placed_);
  work_.serializeState(archive);
  if (sleep_ && archive.restores()) sleep_->bind(work_);
}

}  // namespace delassus
