// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/LineSearch.hpp>
#include <delassus/kernel/integrators/MotionAudit.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus {
MoreauJeanOSI::MoreauJeanOSI(const MoreauJeanOptions& options)
    : theta_(options.theta),
      gamma_(options.gamma),
      forceTheta_(options.forceTheta.value_or(options.theta)),
      relationGamma_(options.relationGamma.value_or(options.gamma)),
      velocityBefore_(options.velocityBefore),
      contactRule_(options.contactRule) {
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
  work_.bind(model, t, name(), SecondOrderWorkspace::FlowRelations::taken);
  work_.bindNodes();
  awaken(t, t, sleep_ && sleep_->bind(work_));
}

// Takes in what has changed since the last step, and what woke by that.
void MoreauJeanOSI::awaken(double t, double end, bool anyWoke) {
  const bool isOther = work_.takeChanges();
  if (sleep_) anyWoke = sleep_->wake(work_, t, end) || anyWoke;
  if (isOther || anyWoke) refreshOutputs(t);
}

void MoreauJeanOSI::beginStep(const TimeStep& timeStep) {
  ++attempt_;
  addsMissed_ = timeStep.repetition > 0 && addMissed();
  if (addsMissed_) return;
  awaken(timeStep.begin, timeStep.end, false);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  h_ = timeStep.size;
  keepsDepths_ = timeStep.keepsDepths;
  placed_ = simplified_ = held_ = rests_ = false;
  if (timeStep.repetition == 0) forgetMissed();
  work_.systems.forEach([&](SystemWork& work) {
    const SecondOrderDS& before = *work.system;
    if (work.evaluated) work.evaluated->forget();
    work.spinsFreely = false;
    if (forceTheta_ < 1.) work.system->forces(begin_, before.q(), before.velocity(), work.forcesBefore);
    if (forceTheta_ == 0.) takeMeanGyroscopic(before, before.velocity(), work.forcesBefore);
    if (work.pull < 0.) findPull(work);
    if (unforeseen_ > 0.) work.speed = std::sqrt(SecondOrderWorkspace::squareInMass(work, before.velocity()));
  });
  forecastContacts(timeStep.repetition);
  work_.systems.forEach([this](SystemWork& work) { beginTrial(work); });
}

// Takes the mean of the gyroscopic forces of a step without impulses in the place of those at v: what spins fast would
// gain energy by these.
void MoreauJeanOSI::takeMeanGyroscopic(const SecondOrderDS& system, const Vector& v, Vector& forces) const {
  if (!system.hasGyroscopicForces()) return;
  system.addGyroscopicForces(-1., v, forces);
  system.addMeanGyroscopicForces(h_, 1., system.velocity(), forces);
}

// The trial state that the velocity at the beginning leads to.
void MoreauJeanOSI::beginTrial(SystemWork& work) {
  const SecondOrderDS& before = *work.system;
  work.weight = theta_ + work.excess;
  assign(before.velocity(), work.v);
  if (forceTheta_ > 0. || relationGamma_ > 0.) {
    for (std::size_t i = 0; i < work.v.size(); ++i) work.displacement(i) = h_ * work.v(i);
    before.move(before.q(), work.displacement, work.q);
  }
  if (relationGamma_ == 0.) assign(before.q(), work.qStar);
  evaluate(work);
  if (!work.system->hasConstantMass()) work.system->requireDefiniteMass(end_, work.mass);
}

bool MoreauJeanOSI::holdRelations() {
  // Without a loop, or where they stay where they are already, nothing would be another problem.
  if (held_ || addsMissed_ || isLinear() || relationGamma_ == 0.) return false;
  beginAnew();
  held_ = true;
  return true;
}

bool MoreauJeanOSI::askForRest() {
  if (rests_ || addsMissed_ || !asksForMotion()) return false;
  beginAnew();
  rests_ = true;
  return true;
}

// Begins the loop with laws of contacts on the rate at the end of the step alone, and free of gyroscopic terms in W.
void MoreauJeanOSI::beginAnew() {
  simplified_ = true;
  const bool held = std::exchange(held_, false);
  work_.systems.forEach([this](SystemWork& work) {
    if (forceTheta_ > 0.) spinFreely(work);
    beginTrial(work);
  });
  held_ = held;
}

// Whether rest would not satisfy what joints and contacts ask for.
bool MoreauJeanOSI::asksForMotion() const {
  return std::any_of(work_.interactions.begin(), work_.interactions.end(), [this](const InteractionWork& work) {
    const auto opens = [](double least) { return least > 0.; };
    return work.anyActive && (isMean(work) || (work.kept && std::any_of(work.least.begin(), work.least.end(), opens)));
  });
}

// From M⁻¹F at the beginning, until a step has W and v_free. (Where forces are taken at the end alone it stays unknown:
// a step that misses contacts for that is made again.)
void MoreauJeanOSI::findPull(SystemWork& work) const {
  if (forceTheta_ == 1.) return;
  SquareFactorization mass;
  mass.factor(work.mass, "System '" + work.system->name() + "': mass");
  assign(work.forcesBefore, work.vFree);
  mass.solve(work.vFree);
  work_.setPull(work, work.vFree, 1.);
}

// Forces and residual M (v − v_k) − hθ F − h(1 − θ) F_k at the trial state.
void MoreauJeanOSI::evaluate(SystemWork& work) {
  SecondOrderDS& system = *work.system;
  if (forceTheta_ > 0.) work_.computeForces(work, end_, work.q, work.v);
  if (work.spinsFreely) {  // by which W is that of the other forces alone
    takeMeanGyroscopic(system, work.v, work.forces);
    if (work.evaluated) work.evaluated->forces.forget();
  }
  const double after = h_ * forceTheta_;
  const double before = h_ * (1. - forceTheta_);
  for (std::size_t i = 0; i < work.v.size(); ++i) {
    work.residual(i) = -after * work.forces(i) - before * work.forcesBefore(i);
  }
  // In its only iteration a linear system starts from v = v_k.
  if (work.linear && work.isFactored({h_}) && linear_ && !work_.anyCompliant) return;
  const Vector& v = system.velocity();
  for (std::size_t i = 0; i < v.size(); ++i) work.vChange(i) = work.v(i) - v(i);
  // Gyroscopic forces are those of the mean velocity, where they do no work, also across an impact: the mean of their
  // values before and after has a Γ of half of the jump to spare.
  if (system.hasGyroscopicForces() && !work.spinsFreely) {
    system.addGyroscopicForces(after * (1. - forceTheta_), work.vChange, work.residual);
  }
  // Where the velocity at the end counts for more, impulses act so much earlier: of x × v this is exact. (Joints need
  // their G in the middle, to which their mean rate belongs.)
  const bool isEarly = work.weight > theta_ && !work.isJointed;
  const double part = isEarly ? std::min(relationGamma_, 1. - work.weight) : relationGamma_;
  if (!held_) moveTo(work, work.weight, part, work.qStar);
  work_.computeMass(work, end_, work.qStar);
  multiply(1., work.mass, work.vChange, 1., work.residual);
}

// Takes gyroscopic forces in this step as without impulses, so that W is that of the other forces.
void MoreauJeanOSI::spinFreely(SystemWork& work) const {
  if (work.spinsFreely) return;
  work.spinsFreely = true;
  if (forceTheta_ < 1.) takeMeanGyroscopic(*work.system, work.system->velocity(), work.forcesBefore);
}

// Whether contacts would push a body the wrong way, since gyroscopic terms take the definiteness of W: of a rod that is
// so thin that its moment of inertia about its axis is little beside what it turns by in the step. Joints may have
// such a W, by which they keep their order.
bool MoreauJeanOSI::losesDefiniteness(const SystemWork& work) const {
  constexpr double part = 0.5;  // of the mass, which the symmetric part of W keeps
  static thread_local Vector mean;
  assign(work.v, mean);
  addScaled(forceTheta_ - 1., work.vChange, mean);
  if (h_ * forceTheta_ * work.system->gyroscopicRate(mean) <= part || isAlone(work)) return false;
  const auto couplings = work_.equations.couplingsAt(work.number);
  return std::all_of(couplings.begin(), couplings.end(), [this](std::uint32_t c) {
    return work_.interactions[work_.equations.couplings()[c].interaction].role == SecondOrderWorkspace::Role::contact;
  });
}

void MoreauJeanOSI::linearise(SystemWork& work) {
  if (work.linear && work.isFactored({h_})) return;
  SecondOrderDS& system = *work.system;
  if (work.linear && work.recall({h_})) return work_.equations.touchBlocks();
  if (forceTheta_ == 0.) {
    work.W = work.mass;
  } else {
    const double first = h_ * forceTheta_;
    if (system.hasGyroscopicForces() && !work.spinsFreely && losesDefiniteness(work)) {
      spinFreely(work);
      evaluate(work);
    }
    work_.forceJacobians(work, end_, work.q, work.v);
    if (system.hasGyroscopicForces()) {
      system.addGyroscopicJacobian(work.spinsFreely ? -1. : forceTheta_ - 1., work.spinsFreely ? work.v : work.vChange,
                                   work_.byV);
    }
    const double second = first * h_ * theta_;
    work.W.setDifference(work.mass, first, work_.byV, second, work_.byQ);
  }
  if (!work.tryFactor({h_})) {
    work.factor.factor(work.W, "System '" + system.name() +
                                   "': iteration matrix W = M + h theta C + h^2 theta^2 K at t = " + toText(end_));
  }
  work_.equations.touchBlocks();
}

void MoreauJeanOSI::computeFreeState() {
  if (addsMissed_) return stateAdded();
  for (SystemWork& work : work_.systems) linearise(work);
  work_.systems.forEach([this](SystemWork& work) {
    assign(work.residual, work.vFree);
    work.factor.solve(work.vFree);
    for (std::size_t i = 0; i < work.v.size(); ++i) {
      work.vFree(i) = work.v(i) - work.vFree(i);
      work.displacement(i) = work.vFree(i) - work.system->velocity()(i);
    }
    work_.setPull(work, work.displacement, h_);
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
  if (contactRule_ == ContactRule::kept) islands_.weigh(work_, h_, theta_);
  work_.systems.forEach([this](SystemWork& work) { moveTo(work, theta_, 1., work.q); });
}

// q ⊕ a part of the displacement h (weight v⁺ + (1 − weight) v).
void MoreauJeanOSI::moveTo(SystemWork& work, double weight, double part, Vector& q) const {
  const SecondOrderDS& before = *work.system;
  for (std::size_t i = 0; i < work.v.size(); ++i) {
    work.displacement(i) = h_ * part * (weight * work.v(i) + (1. - weight) * before.velocity()(i));
  }
  before.move(before.q(), work.displacement, q);
}

// Forces are taken where θ has the trial configuration, so that W stays what it is.
void MoreauJeanOSI::settle() {
  work_.systems.forEach([this](SystemWork& work) {
    if (work.weight != theta_) moveTo(work, work.weight, 1., work.q);
  });
}

// Whether no multiplier acts on a system in this step.
bool MoreauJeanOSI::isAlone(const SystemWork& work) const {
  const auto couplings = work_.equations.couplingsAt(work.number);
  return std::none_of(couplings.begin(), couplings.end(), [this](std::uint32_t c) {
    return work_.equations.isActive(work_.equations.couplings()[c].interaction);
  });
}

// The largest velocity of a system in the step, with what its multipliers add up to.
double MoreauJeanOSI::speedOf(const SystemWork& work) const {
  const Vector& v = work.system->velocity();
  double speed = std::max({normInf(work.v), normInf(v), normInf(work.vReach)});
  for (std::size_t i = 0; i < v.size(); ++i) speed = std::max(speed, std::abs(work.vFree(i) - v(i)));
  return speed;
}

// Of systems on which no multiplier acts: contacts and joints ask for the velocities that their multipliers lead to.
void MoreauJeanOSI::searchChange() {
  constexpr double negligible = 1e-10;  // what rounding alone may keep from becoming less
  for (SystemWork& work : work_.systems) {
    if (work.linear || !isAlone(work) || !allFinite(work.v)) continue;
    if (normInf(work.vChange) > negligible * speedOf(work)) searchChange(work);
  }
}

void MoreauJeanOSI::searchChange(SystemWork& work) {
  static thread_local Vector change, last;
  assign(work.vChange, change);
  assign(work.v, last);
  addScaled(-1., change, last);
  searchLine(normInf(work.residual), [&](double part) {
    for (std::size_t i = 0; i < last.size(); ++i) work.v(i) = last(i) + part * change(i);
    moveTo(work, theta_, 1., work.q);
    evaluate(work);
    return normInf(work.residual);
  });
  assign(change, work.vChange);
}

StepResidual MoreauJeanOSI::residual() {
  StepResidual worst;
  for (SystemWork& work : work_.systems) {
    // The maxima below would pass over a NaN.
    if (!allFinite(work.v)) return {std::numeric_limits<double>::infinity(), 0., work.system->name()};
    const Vector& v = work.system->velocity();
    const double change = normInf(work.vChange);
    const double speed = speedOf(work);
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
    worst.include(relativeTo(scale, left), relativeTo(speed, change), work.system->name());
  }
  return worst;
}

void MoreauJeanOSI::show(MotionAudit& audit) const {
  audit.observePositions(work_);
  audit.observeNorms(work_, &SystemWork::q);
  audit.observeImpulses(work_, h_);
}

void MoreauJeanOSI::prepareAccept() {
  work_.interactions.forEach([this](InteractionWork& work) {
    computeForce(work);
    computeOutputs(work, end_);
  });
}

void MoreauJeanOSI::accept() {
  constexpr double fading = 0.9;  // a step
  unforeseen_ *= fading;
  if (sleep_) sleep_->observe(work_, h_);
  if (contactRule_ == ContactRule::kept) {
    islands_.findExcess(work_, theta_,
                        [this](const InteractionWork& work) { return isMean(work) && leavesRate(work); });
  }
  work_.interactions.forEach([this](InteractionWork& work) {
    work.interaction->output(0).swap(work.y);
    work.interaction->output(1).swap(work.yDot);
    assign(work.force, work.interaction->multiplier(0));
    assign(work_.equations.multiplier(work.number), work.interaction->multiplier(1));
    work.holdsJacobian = !work.timeDependent;
    work.isReset = false;
    if (work.keptDepth.isOn()) {
      work.keptDepth.pass();
    } else if (work.raises) {
      keepsDepths_ ? work.keptDepth.lengthen() : work.keptDepth.end();
    }
    for (std::size_t block = 0; block < work.demanded.size(); ++block) {
      work.interaction->setActive(block, work_.equations.isActive(work.number, block));
    }
  });
  computeInputs();
  work_.systems.forEach([this](SystemWork& work) { work.system->accept(begin_, work.q, work.v, work.p); });
}

// The inputs of systems of first order are rates B λ, no impulses.
void MoreauJeanOSI::computeInputs() {
  if (!work_.anyFlow) return;
  for (const InteractionWork& work : work_.interactions) {
    for (std::size_t c = work.begin; work.flow && c < work.end; ++c) {
      const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
      std::fill_n(data(work_.systemOf(c).p) + coupling.first, coupling.columns, 0.);
    }
  }
  for (const InteractionWork& work : work_.interactions) {
    for (std::size_t c = work.begin; work.flow && c < work.end; ++c) {
      work_.equations.couplings()[c].addInput(data(work.force), data(work_.systemOf(c).p));
    }
  }
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
  settings.add("contactRule", contactRule_ == ContactRule::kept ? "kept" : "pure");
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
  archive.value("simplified", simplified_);
  archive.value("unforeseen", unforeseen_);
  work_.serializeState(archive);
  if (sleep_ && archive.restores()) sleep_->bind(work_);
}

}  // namespace delassus
