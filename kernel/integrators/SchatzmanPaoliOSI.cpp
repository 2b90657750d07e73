// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MotionAudit.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>

namespace delassus {
namespace {

// The scheme adds positions, and takes differences of them for velocities.
void requirePlainCoordinates(const DynamicalSystem& system, const SecondOrderDS& body) {
  if (body.hasRatesAsVelocities()) return;
  throw Error("SchatzmanPaoliOSI", "system '" + system.name() + "' (" + std::string(system.className()) + ") has " +
                                       std::to_string(body.q().size()) + " coordinates and " +
                                       std::to_string(body.dimension()) +
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
  spare->restitution = interaction.law().restitution();
  spare->pushes = 0;
  spare->entry = 0.;
  spare->wasShortened = false;
  spare->before.resize(0, false);
  return spare;
}

void SchatzmanPaoliOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  if (work_.bind(model, t, name())) memory_ = {};
  memory_.update(work_.nodes.serials(), [&](std::size_t i) { return makeMemory(*work_.nodes.systems()[i]); });
  contacts_.update(topology.interactionSerials(), [&](std::size_t k, std::unique_ptr<Contact> spare) {
    return makeContact(*topology.interactions()[k], std::move(spare));
  });
  work_.bindNodes();
  for (InteractionWork& work : work_.interactions) {
    work.anyActive = true;
    for (std::size_t block = 0; block < work.demanded.size(); ++block) {
      work_.equations.setActive(work.number, block, true);
    }
  }
  work_.takeChanges();
  refreshOutputs(t);
}

void SchatzmanPaoliOSI::refreshOutputs(double t) {
  // First everything that can fail, then the rest: a failure leaves the outputs stale, to be computed again.
  work_.linearSystems = true;
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemWork& work = work_.systems[i];
    assign(work.system->q(), work.q);
    assign(work.system->velocity(), work.v);
    if (work.isReset()) memory_[i].isStart = true;
    // What was linear, and is, has constant matrices, whatever its parameters are.
    if (work.isReset() || (work.hasChanged() && !(work.linear && work.system->isLinear()))) work.forgetFactors();
    if (work.isReset() || work.hasChanged()) work.linear = work.system->isLinear() || theta_ == 0.;
    work_.linearSystems = work_.linearSystems && work.linear;
  }
  for (InteractionWork& work : work_.interactions) {
    if (!work_.isStale(work)) continue;
    if (!work.outputsFrom.isMade()) {
      work.interaction->requireConfiguration(t, work_.configurations(work, &SystemWork::q));
    }
    work.blocksFrom.forget();
    refuseUnsupported(work);
    computeOutputs(work, t);
  }
  for (InteractionWork& work : work_.interactions) {
    if (!work_.isStale(work)) continue;
    // An output that has changed with a parameter keeps its change of the last step.
    Vector& before = contacts_[work.number].before;
    const Vector& y = work.interaction->output(0);
    const bool isNew = before.size() != y.size();
    if (isNew) assign(work.y, before);
    for (std::size_t i = 0; i < y.size() && !isNew; ++i) before(i) += work.y(i) - y(i);
    assign(work.y, work.interaction->output(0));
    assign(work.yDot, work.interaction->output(1));
  }
  linear_ = work_.linearSystems;
  for (const InteractionWork& work : work_.interactions) linear_ = linear_ && work.linear;
  work_.markFresh();
}

void SchatzmanPaoliOSI::beginStep(const TimeStep& timeStep) {
  if (work_.takeChanges()) refreshOutputs(timeStep.begin);
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  h_ = timeStep.size;
  forceTime_ = theta_ < 1. ? begin_ + theta_ * h_ : end_;
  for (std::size_t i = 0; i < work_.systems.size(); ++i) begin(work_.systems[i], memory_[i]);
  work_.equations.setMultiplierScale(h_ * h_);
  for (const InteractionWork& work : work_.interactions) {
    double* const multiplier = work_.equations.multiplier(work.number);
    const Vector& impulse = work.interaction->lambda(1);
    for (std::size_t j = 0; j < impulse.size(); ++j) multiplier[j] = h_ * impulse(j);
  }
}

// The trial displacement is that of motion without forces.
void SchatzmanPaoliOSI::begin(SystemWork& work, Memory& memory) {
  SecondOrderDS& system = *work.system;
  if (work.evaluated) work.evaluated->forget();
  if (!system.hasConstantMass() || !work.hasFactors()) {
    work_.computeMass(work, begin_, system.q());
    if (!system.hasConstantMass()) system.requireDefiniteMass(begin_, work.mass);
  }
  if (memory.isStart) start(work, memory);
  const double ratio = h_ / memory.h;
  for (std::size_t i = 0; i < work.v.size(); ++i) work.displacement(i) = ratio * memory.displacement(i);
  evaluate(work, memory);
}

// q − q⁻ = h v − ½h² M⁻¹F, so that the first step is consistent to second order.
void SchatzmanPaoliOSI::start(SystemWork& work, Memory& memory) const {
  SecondOrderDS& system = *work.system;
  const Vector& v = system.velocity();
  work_.computeForces(work, begin_, system.q(), v);
  memory.mass.factor(work.mass, "System '" + system.name() + "': mass M at t = " + toText(begin_));
  memory.mass.solve(work.forces);
  if (work.evaluated) work.evaluated->forces.forget();  // they are accelerations now
  for (std::size_t i = 0; i < v.size(); ++i) {
    memory.earlier(i) = h_ * v(i);
    memory.displacement(i) = h_ * v(i) - 0.5 * h_ * h_ * work.forces(i);
  }
  memory.h = memory.hEarlier = h_;
}

// Forces and residual M (d − h/h₋ d₋) − ½h(h + h₋) F at the trial displacement d = q⁺ − q.
void SchatzmanPaoliOSI::evaluate(SystemWork& work, Memory& memory) {
  SecondOrderDS& system = *work.system;
  const Vector& q = system.q();
  const Vector& v = system.velocity();
  const double ratio = h_ / memory.h;
  const double weight = weightOf(memory);
  const double span = spanOf(memory);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double velocity = (work.displacement(i) + memory.displacement(i)) / span;
    memory.place(i) = q(i) + theta_ * work.displacement(i);
    memory.velocity(i) = theta_ * velocity + (1. - theta_) * v(i);
    work.vFree(i) = work.displacement(i) - ratio * memory.displacement(i);
  }
  work_.computeForces(work, forceTime_, memory.place, memory.velocity);
  for (std::size_t i = 0; i < q.size(); ++i) work.residual(i) = -weight * work.forces(i);
  multiply(1., work.mass, work.vFree, 1., work.residual);
}

bool SchatzmanPaoliOSI::hasConstantMatrix(const SystemWork& work) const {
  return work.system->isLinear() || (theta_ == 0. && work.system->hasConstantMass());
}

void SchatzmanPaoliOSI::linearise(SystemWork& work, Memory& memory) {
  const IterationNode::Step step{h_, memory.h};
  if (hasConstantMatrix(work)) {
    if (work.isFactored(step)) return;
    if (work.recall(step)) return work_.equations.touchBlocks();
  }
  SecondOrderDS& system = *work.system;
  if (theta_ == 0.) {
    work.W = work.mass;
  } else {
    work_.forceJacobians(work, forceTime_, memory.place, memory.velocity);
    const double byQ = theta_ * weightOf(memory);
    const double byV = byQ / spanOf(memory);
    work.W.setDifference(work.mass, byQ, work_.byQ, byV, work_.byV);
  }
  if (!work.tryFactor(step)) {
    work.factor.factor(work.W, "System '" + system.name() +
                                   "': iteration matrix W = M + h^2 theta K + h theta C / 2 at t = " + toText(end_));
  }
  work_.equations.touchBlocks();
}

void SchatzmanPaoliOSI::computeFreeState() {
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemWork& work = work_.systems[i];
    linearise(work, memory_[i]);
    assign(work.residual, work.vFree);
    work.factor.solve(work.vFree);
    for (std::size_t j = 0; j < work.vFree.size(); ++j) work.vFree(j) = work.displacement(j) - work.vFree(j);
  }
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionWork& work = work_.interactions[k];
    const Contact& contact = contacts_[k];
    const bool byRate = leavesByRate(work, contact);
    const double time = placeContact(work, contact, byRate);
    computeBlocks(work, time);
    computeFreeOutput(work, contact, time);
    if (byRate) leaveByRate(work, contact, work_.equations.freeOutput(work.number));
  }
}

void SchatzmanPaoliOSI::updateState() {
  work_.applyMultipliers(&SystemWork::displacement, !linear_);
  for (std::size_t k = 0; k < work_.systems.size(); ++k) {
    SystemWork& work = work_.systems[k];
    const Memory& memory = memory_[k];
    const Vector& q = work.system->q();
    for (std::size_t i = 0; i < q.size(); ++i) {
      work.q(i) = q(i) + work.displacement(i);
      work.v(i) = (work.displacement(i) + memory.displacement(i)) / spanOf(memory);
    }
  }
}

StepResidual SchatzmanPaoliOSI::residual() {
  StepResidual worst;
  for (std::size_t k = 0; k < work_.systems.size(); ++k) {
    SystemWork& work = work_.systems[k];
    Memory& memory = memory_[k];
    // The maxima below would pass over a NaN.
    if (!allFinite(work.q)) return {std::numeric_limits<double>::infinity(), 0., work.system->name()};
    const double free = normInf(work.vFree);  // evaluate overwrites it
    evaluate(work, memory);
    const double way = std::max({normInf(work.displacement), normInf(memory.displacement), normInf(work.vReach), free});
    const double weight = weightOf(memory);
    double left = 0.;
    double scale = normInf(work.pReach);
    for (std::size_t i = 0; i < work.residual.size(); ++i) {
      left = std::max(left, std::abs(work.residual(i) - work.p(i)));
      scale = std::max({scale, std::abs(work.residual(i)), weight * std::abs(work.forces(i))});
    }
    // Relations see q⁺, which is known only up to rounding, and so is M d.
    const double change = normInf(work.vChange) - residualRounding * normInf(work.q);
    left -= residualRounding * static_cast<double>(work.q.size()) * normMax(work.mass) * way;
    worst.include(relativeTo(scale, left), relativeTo(way, change), work.system->name());
  }
  return worst;
}

void SchatzmanPaoliOSI::show(MotionAudit& audit) const {
  audit.observePositions(work_);
  audit.observeNorms(work_, &SystemWork::q);
}

void SchatzmanPaoliOSI::prepareAccept() {
  for (InteractionWork& work : work_.interactions) computeOutputs(work, end_);
}

void SchatzmanPaoliOSI::accept() {
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionWork& work = work_.interactions[k];
    Interaction& interaction = *work.interaction;
    const double mean = duration(work);
    Contact& contact = contacts_[k];
    contact.entry = entryOf(work, contact);
    contact.wasShortened = contact.entry > 0. && (contact.wasShortened || contact.entry > h_);
    interaction.output(0).swap(work.y);
    assign(work.y, contact.before);
    interaction.output(1).swap(work.yDot);
    const double* const multiplier = work_.equations.multiplier(k);
    for (std::size_t i = 0; i < interaction.size(); ++i) {
      const double impulse = multiplier[i] / h_;
      interaction.multiplier(1)(i) = impulse;
      interaction.multiplier(0)(i) = impulse / mean;
    }
    bool any = false;
    for (std::size_t block = 0; block < interaction.blocks(); ++block) {
      const bool pushed = pushes(work, block);
      interaction.setActive(block, pushed);
      any = any || pushed;
    }
    contact.pushes = any ? contact.pushes + 1 : 0;
  }
  for (std::size_t i = 0; i < work_.systems.size(); ++i) {
    SystemWork& work = work_.systems[i];
    Memory& memory = memory_[i];
    for (double& entry : work.p.data()) entry /= h_;
    // After the start `earlier` is that of the motion without forces already.
    if (!memory.isStart) memory.earlier.swap(memory.displacement);
    memory.displacement.swap(work.displacement);
    memory.hEarlier = memory.h;
    memory.h = h_;
    memory.isStart = false;
    work.system->accept(begin_, work.q, work.v, work.p);
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
  archive.value("step", h_);
  archive.value("forceTime", forceTime_);
  archive.value("linear", linear_);
  work_.serializeState(archive);
  for (Memory& memory : memory_) {
    archive.value("isStart", memory.isStart);
    archive.value("step", memory.h);
    archive.value("displacement", memory.displacement);
    archive.value("stepEarlier", memory.hEarlier);
    archive.value("earlier", memory.earlier);
    archive.value("place", memory.place);
    archive.value("velocity", memory.velocity);
  }
  for (Contact& contact : contacts_) {
    archive.value("pushes", contact.pushes);
    archive.value("entry", contact.entry);
    archive.value("wasShortened", contact.wasShortened);
    archive.value("before", contact.before);
  }
}

}  // namespace delassus
