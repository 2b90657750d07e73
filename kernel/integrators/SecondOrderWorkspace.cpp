// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

void SecondOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  systems.update(topology.systemSerials(), [&](std::size_t i) { return makeStep(topology.systems()[i], t, scheme); });
  couplings = topology.couplings();
  interactions.update(topology.interactionSerials(), [&](std::size_t k) { return makeStep(topology, k, scheme); });
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionStep& step = interactions[k];
    step.beginBefore = step.end == 0 ? never : step.begin;
    step.begin = topology.couplingBegin(k);
    step.end = topology.couplingEnd(k);
  }
}

void SecondOrderWorkspace::bindBlocks(std::vector<CouplingBlocks>& blocks) const {
  std::vector<CouplingBlocks> next(couplings.size());
  for (const InteractionStep& step : interactions) {
    for (std::size_t c = step.begin; c < step.end; ++c) {
      CouplingBlocks& made = next[c];
      made.interaction = couplings[c].interaction;
      made.node = couplings[c].system;
      if (step.beginBefore != never) {
        CouplingBlocks& before = blocks[step.beginBefore + c - step.begin];
        made.left.swap(before.left);
        made.right.swap(before.right);
      } else {
        const std::size_t n = systems[made.node].v.size();
        made.left = Matrix(step.interaction->size(), n);
        made.right = Matrix(n, step.interaction->size());
      }
    }
  }
  blocks.swap(next);
}

std::unique_ptr<SecondOrderWorkspace::SystemStep> SecondOrderWorkspace::makeStep(
    const std::shared_ptr<DynamicalSystem>& system, double t, std::string_view scheme) {
  auto step = std::make_unique<SystemStep>();
  step->owner = system;
  step->system = system->secondOrder();
  if (step->system == nullptr) {
    throw Error(std::string(scheme), "system '" + system->name() + "' (" + std::string(system->className()) +
                                         ") is not a mechanical one, and this scheme takes no other.");
  }
  const std::size_t n = step->system->dimension();
  step->mass = Matrix(n, n);
  step->system->mass(t, step->system->q(), step->mass);
  step->system->requireDefiniteMass(t, step->mass);
  step->q = step->qStar = step->system->q();
  step->v = step->system->velocity();
  for (Vector* v : {&step->p, &step->displacement, &step->forcesBefore, &step->forces, &step->residual, &step->vFree,
                    &step->vChange, &step->pReach, &step->vReach}) {
    *v = Vector(n);
  }
  for (Matrix* m : {&step->byQ, &step->byV, &step->W}) *m = Matrix(n, n);
  return step;
}

std::unique_ptr<SecondOrderWorkspace::InteractionStep> SecondOrderWorkspace::makeStep(const Topology& topology,
                                                                                      std::size_t k,
                                                                                      std::string_view scheme) const {
  auto step = std::make_unique<InteractionStep>();
  step->interaction = topology.interactions()[k];
  step->relation = step->interaction->relation().secondOrder();
  if (step->relation == nullptr) {
    throw Error("Interaction '" + step->interaction->name() + "'",
                std::string(scheme) + " does not take the relation " +
                    std::string(step->interaction->relation().className()) + ".");
  }
  step->interaction->setLevels(2);
  const std::size_t m = step->interaction->size();
  std::size_t configurations = 0;
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    configurations += systems[couplings[c].system].q.size();
    step->velocities += systems[couplings[c].system].v.size();
  }
  step->compliant = step->relation->isCompliant();
  step->stack.data().reserve(std::max(configurations, step->velocities));
  step->G = Matrix(m, step->velocities);
  step->compliance = Matrix(m, m);
  for (Vector* v : {&step->y, &step->yDot, &step->freeOutput, &step->multiplier, &step->force, &step->frameVelocity}) {
    *v = Vector(m);
  }
  step->active.assign(step->interaction->blocks(), 0);
  step->demanded.assign(step->interaction->blocks(), 0);
  return step;
}

std::vector<IterationMatrix> SecondOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const SystemStep& step : systems) all.push_back({{step.system}, &step.W});
  return all;
}

void SecondOrderWorkspace::serializeState(StateArchive& archive) {
  archive.value("linearSystems", linearSystems);
  archive.value("anyCompliant", anyCompliant);
  archive.value("restTolerance", restTolerance);
  for (SystemStep& step : systems) {
    archive.value("linear", step.linear);
    archive.value("stale", step.stale);
    archive.value("changed", step.changed);
    archive.value("stateResets", step.stateResets);
    archive.value("parameterChanges", step.parameterChanges);
    archive.value("factoredStep", step.factoredStep);
    archive.value("factorVersion", step.factorVersion);
    for (Vector* const v : {&step.q, &step.v, &step.p, &step.qStar, &step.displacement, &step.forcesBefore,
                            &step.forces, &step.residual, &step.vFree, &step.vChange, &step.pReach, &step.vReach}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&step.mass, &step.byQ, &step.byV, &step.W}) archive.value("matrix", *a);
    if (archive.restores() && step.factoredStep != 0.) step.factor.tryFactor(step.W);
  }
  for (InteractionStep& step : interactions) {
    archive.value("stale", step.stale);
    archive.value("parameterChanges", step.parameterChanges);
    archive.value("blocksFactors", step.blocksFactors);
    archive.value("isReset", step.isReset);
    archive.value("holdsJacobian", step.holdsJacobian);
    archive.value("compliant", step.compliant);
    archive.value("resolved", step.resolved);
    archive.value("active", step.active);
    archive.value("demanded", step.demanded);
    archive.value("anyActive", step.anyActive);
    for (Vector* const v :
         {&step.y, &step.yDot, &step.freeOutput, &step.multiplier, &step.force, &step.frameVelocity}) {
      archive.value("vector", *v);
    }
    archive.value("G", step.G);
    archive.value("compliance", step.compliance);
  }
}

bool SecondOrderWorkspace::findStale() {
  bool any = false;
  bool anySystem = false;
  bool anyChanged = false;
  for (SystemStep& step : systems) {
    step.stale = step.stateResets != step.system->stateResets();
    step.changed = step.parameterChanges != step.system->parameterChanges();
    anySystem = anySystem || step.stale;
    anyChanged = anyChanged || step.changed;
  }
  for (InteractionStep& step : interactions) {
    step.stale = step.parameterChanges != step.relation->parameterChanges();
    for (std::size_t c = step.begin; anySystem && !step.stale && c < step.end; ++c) {
      step.stale = systems[couplings[c].system].stale;
    }
    any = any || step.stale;
  }
  return any || anySystem || anyChanged;
}

void SecondOrderWorkspace::markFresh() {
  for (SystemStep& step : systems) {
    step.stateResets = step.system->stateResets();
    step.parameterChanges = step.system->parameterChanges();
  }
  for (InteractionStep& step : interactions) step.parameterChanges = step.relation->parameterChanges();
}

void SecondOrderWorkspace::addReach(const CouplingBlocks& blocks, const Vector& multiplier, SystemStep& system) {
  for (std::size_t j = 0; j < multiplier.size(); ++j) {
    for (std::size_t i = 0; i < system.v.size(); ++i) {
      system.pReach(i) += std::abs(blocks.left(j, i) * multiplier(j));
      system.vReach(i) += std::abs(blocks.right(i, j) * multiplier(j));
    }
  }
}

const Vector& SecondOrderWorkspace::stacked(InteractionStep& step, const Vector SystemStep::*member) const {
  if (step.end - step.begin == 1) return systems[couplings[step.begin].system].*member;
  auto& all = step.stack.data();
  all.clear();
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const auto& part = (systems[couplings[c].system].*member).data();
    all.insert(all.end(), part.begin(), part.end());
  }
  // The storage is already filled; this only sets the size of the vector.
  step.stack.resize(all.size(), false);
  return step.stack;
}

namespace {

// These run in every step: a message is composed only if there is an error.
std::string describe(const SecondOrderWorkspace::InteractionStep& step, const char* what, double t) {
  return "Interaction '" + step.interaction->name() + "': " + what + " of " + std::string(step.relation->className()) +
         " at t = " + toText(t);
}

void require(const SecondOrderWorkspace::InteractionStep& step, const Vector& v, const char* what, double t) {
  const std::size_t m = step.interaction->size();
  if (v.size() == m && allFinite(v)) return;
  const std::string name = describe(step, what, t);
  requireSize(v, m, name);
  requireFinite(v, name);
}

void require(const SecondOrderWorkspace::InteractionStep& step, const Matrix& a, std::size_t columns, const char* what,
             double t) {
  const std::size_t m = step.interaction->size();
  if (a.size1() == m && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(step, what, t);
  requireSize(a, m, columns, name);
  requireFinite(a, name);
}

}  // namespace

void SecondOrderWorkspace::computeOutput(InteractionStep& step, double t, const Vector SystemStep::*q,
                                         Vector& y) const {
  assignZero(y, step.interaction->size());
  step.relation->computeOutput(t, stacked(step, q), step.force, y);
  require(step, y, "output", t);
}

void SecondOrderWorkspace::computeDrift(InteractionStep& step, double t, const Vector SystemStep::*q,
                                        Vector& drift) const {
  assignZero(drift, step.interaction->size());
  if (!step.relation->isTimeDependent()) return;
  step.relation->computeDrift(t, stacked(step, q), drift);
  require(step, drift, "derivative with respect to time", t);
}

void SecondOrderWorkspace::computeJacobian(InteractionStep& step, double t, const Vector SystemStep::*q) const {
  step.holdsJacobian = false;
  assignZero(step.G, step.interaction->size(), step.velocities);
  step.relation->computeJacobian(t, stacked(step, q), step.force, step.G);
  require(step, step.G, step.velocities, "Jacobian G", t);
}

void SecondOrderWorkspace::computeCompliance(InteractionStep& step, double t, const Vector SystemStep::*q) const {
  const std::size_t m = step.interaction->size();
  assignZero(step.compliance, m, m);
  step.relation->computeCompliance(t, stacked(step, q), step.force, step.compliance);
  require(step, step.compliance, m, "compliance", t);
}

}  // namespace delassus
