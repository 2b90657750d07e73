// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {

void SecondOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  systems.update(topology.systemSerials(), [&](std::size_t i) { return makeStep(topology.systems()[i], t, scheme); });
  interactions.update(topology.interactionSerials(), [&](std::size_t k, std::unique_ptr<InteractionStep> spare) {
    return makeStep(topology, k, scheme, std::move(spare));
  });
  const std::vector<Coupling>& couplings = topology.couplings();
  equations.clear(scheme);
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionStep& step = interactions[k];
    step.number = k;
    step.begin = topology.couplingBegin(k);
    step.end = topology.couplingEnd(k);
    const std::size_t m = step.G.size1();
    equations.addInteraction(m, step.demanded.size());
    std::size_t entries = 0;
    for (std::size_t c = step.begin; c < step.end; ++c) {
      const std::size_t n = systems[couplings[c].system].v.size();
      equations.addCoupling(couplings[c].system, n, data(step.G) + entries, step.right.data() + entries);
      entries += m * n;
    }
  }
  equations.finish();
}

void SecondOrderWorkspace::bindNodes() {
  for (const SystemStep& step : systems) equations.addNode(step.W, step.vFree);
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
  if (step->system->hasConstantMass()) {
    step->system->mass(t, step->system->q(), step->mass);
  } else {
    computeMass(*step, t, step->system->q());
  }
  step->system->requireDefiniteMass(t, step->mass);
  step->q = step->qStar = step->system->q();
  step->v = step->system->velocity();
  for (Vector* v : {&step->p, &step->displacement, &step->forcesBefore, &step->forces, &step->residual, &step->vFree,
                    &step->vChange, &step->pReach, &step->vReach}) {
    *v = Vector(n);
  }
  step->W = Matrix(n, n);
  return step;
}

std::unique_ptr<SecondOrderWorkspace::InteractionStep> SecondOrderWorkspace::makeStep(
    const Topology& topology, std::size_t k, std::string_view scheme, std::unique_ptr<InteractionStep> spare) const {
  auto step = spare ? std::move(spare) : std::make_unique<InteractionStep>();
  static_cast<InteractionValues&>(*step) = {};
  step->interaction = topology.interactions()[k];
  step->relation = step->interaction->relation().secondOrder();
  if (step->relation == nullptr) {
    throw Error("Interaction '" + step->interaction->name() + "'",
                std::string(scheme) + " does not take the relation " +
                    std::string(step->interaction->relation().className()) + ".");
  }
  step->interaction->setLevels(2);
  const std::size_t m = step->interaction->size();
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    step->velocities += systems[topology.couplings()[c].system].v.size();
  }
  takeRelation(*step);
  assignZero(step->G, m, step->velocities);
  assignZero(step->acceptedG, 0, 0);
  assignZero(step->compliance, 0, 0);
  step->right.assign(m * step->velocities, 0.);
  for (Vector* v : {&step->y, &step->yDot, &step->force}) assignZero(*v, m);
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
    for (Matrix* const a : {&step.mass, &step.W}) archive.value("matrix", *a);
    if (archive.restores()) step.evaluated.reset();
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
    archive.value("demanded", step.demanded);
    archive.value("anyActive", step.anyActive);
    for (Vector* const v : {&step.y, &step.yDot, &step.force}) archive.value("vector", *v);
    archive.values("G", data(step.G), step.G.data().size());
    archive.values("right", step.right.data(), step.right.size());
    archive.value("acceptedG", step.acceptedG);
    archive.value("compliance", step.compliance);
  }
  equations.serializeState(archive);
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
    if (step.stale) takeRelation(step);
    for (std::size_t c = step.begin; anySystem && !step.stale && c < step.end; ++c) step.stale = systemOf(c).stale;
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

void SecondOrderWorkspace::takeRelation(InteractionStep& step) {
  step.linear = step.relation->isLinear();
  step.timeDependent = step.relation->isTimeDependent();
  step.compliant = step.relation->isCompliant();
}

void SecondOrderWorkspace::applyMultipliers(Vector SystemStep::*x, bool measures) {
  for (SystemStep& step : systems) {
    if (measures) {
      (step.*x).swap(step.vChange);
      setZero(step.pReach);
      setZero(step.vReach);
    }
    assign(step.vFree, step.*x);
    setZero(step.p);
  }
  for (const InteractionStep& step : interactions) {
    double* const multiplier = equations.multiplier(step.number);
    if (!step.anyActive) {
      for (std::size_t i = 0; i < step.y.size(); ++i) multiplier[i] = 0.;
      continue;
    }
    for (std::size_t c = step.begin; c < step.end; ++c) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      SystemStep& system = systems[coupling.node];
      coupling.addState(multiplier, data(system.*x));
      coupling.addInput(multiplier, data(system.p));
      if (measures) addReach(coupling, multiplier, system);
    }
  }
  if (!measures) return;
  for (SystemStep& step : systems) {
    for (std::size_t i = 0; i < step.vChange.size(); ++i) step.vChange(i) = (step.*x)(i)-step.vChange(i);
  }
}

void SecondOrderWorkspace::addReach(const StepEquations::Coupling& coupling, const double* multiplier,
                                    SystemStep& system) {
  const double* left = coupling.left;
  for (std::size_t i = 0; i < coupling.columns; ++i, left += coupling.rows) {
    for (std::size_t j = 0; j < coupling.rows; ++j) {
      system.pReach(i) += std::abs(left[j] * multiplier[j]);
      system.vReach(i) += std::abs(coupling.right[i + j * coupling.columns] * multiplier[j]);
    }
  }
}

const Vector& SecondOrderWorkspace::stacked(const InteractionStep& step, const Vector SystemStep::*member) const {
  if (step.end - step.begin == 1) return systemOf(step.begin).*member;
  std::size_t size = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) size += (systemOf(c).*member).size();
  if (stack_.size() != size) stack_.resize(size, false);
  double* to = data(stack_);
  for (std::size_t c = step.begin; c < step.end; ++c) {
    for (const double entry : systemOf(c).*member) *to++ = entry;
  }
  return stack_;
}

void SecondOrderWorkspace::addRate(const InteractionStep& step, const Vector SystemStep::*v, double* y) const {
  for (std::size_t c = step.begin; c < step.end; ++c) equations.couplings()[c].addOutput(data(systemOf(c).*v), y);
}

const Matrix& SecondOrderWorkspace::jacobianAt(const InteractionStep& step, double t,
                                               const Vector SystemStep::*q) const {
  computeJacobian(step, t, q, jacobian_);
  return jacobian_;
}

void SecondOrderWorkspace::addRateAt(const InteractionStep& step, double t, const Vector SystemStep::*q,
                                     const Vector SystemStep::*v, Vector& y) const {
  const Matrix& G = jacobianAt(step, t, q);
  multiply(1., G, stacked(step, v), 1., y);
}

namespace {

SecondOrderWorkspace::EvaluatedFunctions& evaluatedOf(SecondOrderWorkspace::SystemStep& step) {
  if (!step.evaluated) step.evaluated = std::make_unique<SecondOrderWorkspace::EvaluatedFunctions>();
  return *step.evaluated;
}

}  // namespace

void SecondOrderWorkspace::computeForces(SystemStep& step, double t, const Vector& q, const Vector& v) {
  if (step.linear) return step.system->forces(t, q, v, step.forces);
  Evaluated& last = evaluatedOf(step).forces;
  if (last.isAt(t, q, v, step.system->parameterChanges())) return;
  last.forget();
  step.system->forces(t, q, v, step.forces);
  last.take(t, q, v, step.system->parameterChanges());
}

void SecondOrderWorkspace::computeForcesBefore(SystemStep& step, double t) {
  SecondOrderDS& system = *step.system;
  if (step.evaluated && step.evaluated->forces.isAt(t, system.q(), system.velocity(), system.parameterChanges())) {
    assign(step.forces, step.forcesBefore);
  } else {
    system.forces(t, system.q(), system.velocity(), step.forcesBefore);
  }
}

void SecondOrderWorkspace::computeMass(SystemStep& step, double t, const Vector& q) {
  if (step.linear) return step.system->mass(t, q, step.mass);
  Evaluated& last = evaluatedOf(step).mass;
  const Vector none;
  if (last.isAt(0., q, none, step.system->parameterChanges())) return;
  last.forget();
  step.system->mass(t, q, step.mass);
  last.take(0., q, none, step.system->parameterChanges());
}

void SecondOrderWorkspace::solveForRight(InteractionStep& step) {
  const std::size_t m = step.G.size1();
  const double* left = data(step.G);
  double* right = step.right.data();
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const SystemStep& system = systemOf(c);
    const std::size_t n = system.v.size();
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < m; ++i) right[j + i * n] = left[i + j * m];
    }
    system.factor.solve(right, m);
    left += m * n;
    right += m * n;
  }
  equations.touchBlocks();
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

void SecondOrderWorkspace::computeOutput(const InteractionStep& step, double t, const Vector SystemStep::*q,
                                         Vector& y) const {
  assignZero(y, step.interaction->size());
  step.relation->computeOutput(t, stacked(step, q), step.force, y);
  require(step, y, "output", t);
}

void SecondOrderWorkspace::computeDrift(const InteractionStep& step, double t, const Vector SystemStep::*q,
                                        Vector& drift) const {
  assignZero(drift, step.interaction->size());
  if (!step.timeDependent) return;
  step.relation->computeDrift(t, stacked(step, q), drift);
  require(step, drift, "derivative with respect to time", t);
}

void SecondOrderWorkspace::computeJacobian(const InteractionStep& step, double t, const Vector SystemStep::*q,
                                           Matrix& G) const {
  assignZero(G, step.interaction->size(), step.velocities);
  step.relation->computeJacobian(t, stacked(step, q), step.force, G);
  require(step, G, step.velocities, "Jacobian G", t);
}

void SecondOrderWorkspace::computeCompliance(InteractionStep& step, double t, const Vector SystemStep::*q) const {
  const std::size_t m = step.interaction->size();
  assignZero(step.compliance, m, m);
  step.relation->computeCompliance(t, stacked(step, q), step.force, step.compliance);
  require(step, step.compliance, m, "compliance", t);
}

}  // namespace delassus
