// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>

namespace delassus {
namespace {

// The scheme adds positions, and takes differences of them for velocities.
void requirePlainCoordinates(const DynamicalSystem& system, const SecondOrderDS& body) {
  const std::size_t n = body.dimension();
  bool plain = body.q().size() == n;
  if (plain) {
    Matrix T;
    body.rates(body.q(), T);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) plain = plain && T(i, j) == (i == j ? 1. : 0.);
    }
  }
  if (plain) return;
  throw Error("SchatzmanPaoliOSI", "system '" + system.name() + "' (" + std::string(system.className()) + ") has " +
                                       std::to_string(body.q().size()) + " coordinates and " + std::to_string(n) +
                                       " velocities that are not their rates; the scheme takes differences of "
                                       "positions for velocities, q' = v. Use MoreauJeanOSI.");
}

}  // namespace

SchatzmanPaoliOSI::SchatzmanPaoliOSI(double theta) : theta_(theta) {
  if (theta >= 0. && theta <= 1.) return;
  throw Error("SchatzmanPaoliOSI", "theta must be in [0, 1], got theta = " + toText(theta) + ".");
}

std::unique_ptr<SchatzmanPaoliOSI::Memory> SchatzmanPaoliOSI::makeMemory(DynamicalSystem& system) {
  SecondOrderDS& body = *system.secondOrder();  // the workspace has refused what is not mechanical
  requirePlainCoordinates(system, body);
  auto memory = std::make_unique<Memory>();
  const std::size_t n = body.dimension();
  for (Vector* v : {&memory->displacement, &memory->earlier, &memory->place, &memory->velocity}) *v = Vector(n);
  return memory;
}

std::unique_ptr<SchatzmanPaoliOSI::Contact> SchatzmanPaoliOSI::makeContact(const Interaction& interaction,
                                                                           std::unique_ptr<Contact> spare) {
  if (!spare) spare = std::make_unique<Contact>();
  *spare = {.restitution = interaction.law().restitution()};
  return spare;
}

void SchatzmanPaoliOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  work_.bind(model, t, name());
  memory_.update(topology.systemSerials(), [&](std::size_t i) { return makeMemory(*topology.systems()[i]); });
  contacts_.update(topology.interactionSerials(), [&](std::size_t k, std::unique_ptr<Contact> spare) {
    return makeContact(*topology.interactions()[k], std::move(spare));
  });
  work_.bindNodes();
  for (InteractionStep& step : work_.interactions) {
    step.anyActive = true;
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      work_.equations.setActive(step.number, block, true);
    }
  }
  work_.findStale();
  refreshOutputs(t);
}

void SchatzmanPaoliOSI::refreshOutputs(double t) {
  // First everything that can fail, then the rest: a failure leaves the outputs stale, to be computed again.
  work_.linearSystems = true;
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemStep& step = work_.systems[i];
    assign(step.system->q(), step.q);
    assign(step.system->velocity(), step.v);
    if (step.stale) {
      memory_[i].isStart = true;
      step.factoredStep = 0.;
    }
    if (step.stale || step.changed) step.linear = step.system->isLinear() || theta_ == 0.;
    work_.linearSystems = work_.linearSystems && step.linear;
  }
  for (InteractionStep& step : work_.interactions) {
    if (!step.stale) continue;
    if (step.parameterChanges == SecondOrderWorkspace::never) {
      step.interaction->requireConfiguration(t, work_.stacked(step, &SystemStep::q));
    }
    step.blocksFactors = SecondOrderWorkspace::never;
    refuseUnsupported(step);
    computeOutputs(step, t);
  }
  for (InteractionStep& step : work_.interactions) {
    if (!step.stale) continue;
    assign(step.y, step.interaction->output(0));
    assign(step.yDot, step.interaction->output(1));
  }
  linear_ = work_.linearSystems;
  for (const InteractionStep& step : work_.interactions) linear_ = linear_ && step.linear;
  work_.markFresh();
}

void SchatzmanPaoliOSI::beginStep(const TimeStep& timeStep) {
  if (work_.findStale()) refreshOutputs(timeStep.begin);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  step_ = timeStep.size;
  forceTime_ = theta_ < 1. ? begin_ + theta_ * step_ : end_;
  for (std::size_t i = 0; i < work_.systems.size(); ++i) begin(work_.systems[i], memory_[i]);
  work_.equations.setMultiplierScale(step_ * step_);
  for (const InteractionStep& step : work_.interactions) {
    double* const multiplier = work_.equations.multiplier(step.number);
    const Vector& impulse = step.interaction->lambda(1);
    for (std::size_t j = 0; j < impulse.size(); ++j) multiplier[j] = step_ * impulse(j);
  }
}

// The trial displacement is that of motion without forces.
void SchatzmanPaoliOSI::begin(SystemStep& step, Memory& memory) {
  SecondOrderDS& system = *step.system;
  if (!system.hasConstantMass() || step.factoredStep == 0.) {
    work_.computeMass(step, begin_, system.q());
    if (!system.hasConstantMass()) system.requireDefiniteMass(begin_, step.mass);
  }
  if (memory.isStart) start(step, memory);
  const double ratio = step_ / memory.step;
  for (std::size_t i = 0; i < step.v.size(); ++i) step.displacement(i) = ratio * memory.displacement(i);
  evaluate(step, memory);
}

// q − q⁻ = h v − ½h² M⁻¹F, so that the first step is consistent to second order.
void SchatzmanPaoliOSI::start(SystemStep& step, Memory& memory) const {
  SecondOrderDS& system = *step.system;
  const Vector& v = system.velocity();
  work_.computeForces(step, begin_, system.q(), v);
  memory.mass.factor(step.mass, "System '" + system.name() + "': mass M at t = " + toText(begin_));
  memory.mass.solve(step.forces);
  if (step.evaluated) step.evaluated->forces.forget();  // they are accelerations now
  for (std::size_t i = 0; i < v.size(); ++i) {
    memory.earlier(i) = step_ * v(i);
    memory.displacement(i) = step_ * v(i) - 0.5 * step_ * step_ * step.forces(i);
  }
  memory.step = memory.stepEarlier = step_;
}

// Forces and residual M (d − h/h₋ d₋) − ½h(h + h₋) F at the trial displacement d = q⁺ − q.
void SchatzmanPaoliOSI::evaluate(SystemStep& step, Memory& memory) {
  SecondOrderDS& system = *step.system;
  const Vector& q = system.q();
  const Vector& v = system.velocity();
  const double ratio = step_ / memory.step;
  const double weight = weightOf(memory);
  const double span = spanOf(memory);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double velocity = (step.displacement(i) + memory.displacement(i)) / span;
    memory.place(i) = q(i) + theta_ * step.displacement(i);
    memory.velocity(i) = theta_ * velocity + (1. - theta_) * v(i);
    step.vFree(i) = step.displacement(i) - ratio * memory.displacement(i);
  }
  work_.computeForces(step, forceTime_, memory.place, memory.velocity);
  for (std::size_t i = 0; i < q.size(); ++i) step.residual(i) = -weight * step.forces(i);
  multiply(1., step.mass, step.vFree, 1., step.residual);
}

bool SchatzmanPaoliOSI::hasConstantMatrix(const SystemStep& step) const {
  return step.system->isLinear() || (theta_ == 0. && step.system->hasConstantMass());
}

void SchatzmanPaoliOSI::linearise(SystemStep& step, Memory& memory) {
  if (step.factoredStep == step_ && memory.factoredBefore == memory.step && hasConstantMatrix(step)) return;
  SecondOrderDS& system = *step.system;
  step.W = step.mass;
  if (theta_ > 0.) {
    work_.forceJacobians(step, forceTime_, memory.place, memory.velocity);
    const double byQ = theta_ * weightOf(memory);
    const double byV = byQ / spanOf(memory);
    for (std::size_t k = 0; k < step.W.data().size(); ++k) {
      step.W.data()[k] -= byQ * work_.byQ.data()[k] + byV * work_.byV.data()[k];
    }
  }
  step.factoredStep = 0.;
  if (!step.factor.tryFactor(step.W)) {
    step.factor.factor(step.W, "System '" + system.name() +
                                   "': iteration matrix W = M + h^2 theta K + h theta C / 2 at t = " + toText(end_));
  }
  step.factoredStep = step_;
  memory.factoredBefore = memory.step;
  ++step.factorVersion;
  work_.equations.touchBlocks();
}

void SchatzmanPaoliOSI::computeFreeState() {
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemStep& step = work_.systems[i];
    linearise(step, memory_[i]);
    assign(step.residual, step.vFree);
    step.factor.solve(step.vFree);
    for (std::size_t j = 0; j < step.vFree.size(); ++j) step.vFree(j) = step.displacement(j) - step.vFree(j);
  }
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionStep& step = work_.interactions[k];
    const Contact& contact = contacts_[k];
    const double time = placeContact(step, contact);
    computeBlocks(step, time);
    computeFreeOutput(step, contact, time);
  }
}

void SchatzmanPaoliOSI::updateState() {
  work_.applyMultipliers(&SystemStep::displacement, !linear_);
  for (std::size_t k = 0; k < work_.systems.size(); ++k) {
    SystemStep& step = work_.systems[k];
    const Memory& memory = memory_[k];
    const Vector& q = step.system->q();
    for (std::size_t i = 0; i < q.size(); ++i) {
      step.q(i) = q(i) + step.displacement(i);
      step.v(i) = (step.displacement(i) + memory.displacement(i)) / spanOf(memory);
    }
  }
}

StepResidual SchatzmanPaoliOSI::residual() {
  StepResidual worst;
  for (std::size_t k = 0; k < work_.systems.size(); ++k) {
    SystemStep& step = work_.systems[k];
    Memory& memory = memory_[k];
    // Taking maxima would get lost in the maxima.
    if (!allFinite(step.q)) return {std::numeric_limits<double>::infinity(), 0., step.system->name()};
    const double free = normInf(step.vFree);  // evaluate overwrites it
    evaluate(step, memory);
    const double way = std::max({normInf(step.displacement), normInf(memory.displacement), normInf(step.vReach), free});
    const double weight = weightOf(memory);
    double left = 0.;
    double scale = normInf(step.pReach);
    for (std::size_t i = 0; i < step.residual.size(); ++i) {
      left = std::max(left, std::abs(step.residual(i) - step.p(i)));
      scale = std::max({scale, std::abs(step.residual(i)), weight * std::abs(step.forces(i))});
    }
    // Relations see q⁺, which is known only up to rounding, and so is M d.
    const double change = normInf(step.vChange) - residualRounding * normInf(step.q);
    left -= residualRounding * static_cast<double>(step.q.size()) * normMax(step.mass) * way;
    worst.include(left > 0. ? left / scale : 0., change > 0. ? change / way : 0., step.system->name());
  }
  return worst;
}

void SchatzmanPaoliOSI::prepareAccept() {
  for (InteractionStep& step : work_.interactions) computeOutputs(step, end_);
}

void SchatzmanPaoliOSI::accept() {
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionStep& step = work_.interactions[k];
    Interaction& interaction = *step.interaction;
    const double mean = duration(step);
    interaction.output(0).swap(step.y);
    interaction.output(1).swap(step.yDot);
    const double* const multiplier = work_.equations.multiplier(k);
    for (std::size_t i = 0; i < interaction.size(); ++i) {
      const double impulse = multiplier[i] / step_;
      interaction.multiplier(1)(i) = impulse;
      interaction.multiplier(0)(i) = impulse / mean;
    }
    bool any = false;
    for (std::size_t block = 0; block < interaction.blocks(); ++block) {
      const bool pushed = pushes(step, block);
      interaction.setActive(block, pushed);
      any = any || pushed;
    }
    contacts_[k].pushes = any ? contacts_[k].pushes + 1 : 0;
  }
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemStep& step = work_.systems[i];
    Memory& memory = memory_[i];
    for (double& entry : step.p.data()) entry /= step_;
    // After the start `earlier` is that of the motion without forces already.
    if (!memory.isStart) memory.earlier.swap(memory.displacement);
    memory.displacement.swap(step.displacement);
    memory.stepEarlier = memory.step;
    memory.step = step_;
    memory.isStart = false;
    step.system->accept(begin_, step.q, step.v, step.p);
  }
}

Settings SchatzmanPaoliOSI::settings() const {
  Settings settings;
  settings.add("theta", theta_);
  return settings;
}

void SchatzmanPaoliOSI::serializeState(StateArchive& archive) {
  archive.section("SchatzmanPaoliOSI");
  archive.value("begin", begin_);
  archive.value("end", end_);
  archive.value("step", step_);
  archive.value("forceTime", forceTime_);
  archive.value("linear", linear_);
  work_.serializeState(archive);
  for (Memory& memory : memory_) {
    archive.value("isStart", memory.isStart);
    archive.value("step", memory.step);
    archive.value("displacement", memory.displacement);
    archive.value("stepEarlier", memory.stepEarlier);
    archive.value("earlier", memory.earlier);
    archive.value("factoredBefore", memory.factoredBefore);
    archive.value("place", memory.place);
    archive.value("velocity", memory.velocity);
  }
  for (Contact& contact : contacts_) archive.value("pushes", contact.pushes);
}

}  // namespace delassus
