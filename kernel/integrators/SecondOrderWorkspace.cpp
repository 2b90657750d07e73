// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {

namespace {

// These run in every step: a message is composed only if there is an error.
std::string describe(const SecondOrderWorkspace::InteractionWork& work, const char* what, double t) {
  return "Interaction '" + work.interaction->name() + "': " + what + " of " + std::string(work.relation->className()) +
         " at t = " + toText(t);
}

void require(const SecondOrderWorkspace::InteractionWork& work, const Vector& v, const char* what, double t) {
  const std::size_t m = work.interaction->size();
  if (v.size() == m && allFinite(v)) return;
  const std::string name = describe(work, what, t);
  requireSize(v, m, name);
  requireFinite(v, name);
}

void require(const SecondOrderWorkspace::InteractionWork& work, const Matrix& a, std::size_t columns, const char* what,
             double t) {
  const std::size_t m = work.interaction->size();
  if (a.size1() == m && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(work, what, t);
  requireSize(a, m, columns, name);
  requireFinite(a, name);
}

// A relation does not know its interaction, so errors are completed here.
template <class Function>
void naming(const SecondOrderWorkspace::InteractionWork& work, const char* what, double t, Function function) {
  evaluateNamed([&] { return describe(work, what, t); }, function);
}

}  // namespace

void SecondOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  knowsSelfContained_ = false;
  systems.update(topology.systemSerials(), [&](std::size_t i) { return makeWork(topology.systems()[i], t, scheme); });
  interactions.update(topology.interactionSerials(), [&](std::size_t k, std::unique_ptr<InteractionWork> spare) {
    return makeWork(topology, k, scheme, std::move(spare));
  });
  const std::vector<Coupling>& couplings = topology.couplings();
  // Of what remains; new ones are stale, and taken in then.
  linearSystems = true;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    systems[i].number = i;
    linearSystems = linearSystems && systems[i].linear;
  }
  anyCompliant = false;
  equations.clear(scheme);
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionWork& work = interactions[k];
    work.number = k;
    work.begin = topology.couplingBegin(k);
    work.end = topology.couplingEnd(k);
    anyCompliant = anyCompliant || work.compliant;
    const std::size_t m = work.G.size1();
    equations.addInteraction(m, work.demanded.size());
    std::size_t entries = 0;
    for (std::size_t c = work.begin; c < work.end; ++c) {
      const std::size_t n = systems[couplings[c].system].v.size();
      equations.addCoupling(couplings[c].system, n, data(work.G) + entries, work.right.data() + entries);
      entries += m * n;
    }
  }
  equations.finish();
}

void SecondOrderWorkspace::bindNodes() {
  for (SystemWork& work : systems.all()) equations.addNode(work.W, work.vFree);
}

std::unique_ptr<SecondOrderWorkspace::SystemWork> SecondOrderWorkspace::makeWork(
    const std::shared_ptr<DynamicalSystem>& system, double t, std::string_view scheme) {
  auto work = std::make_unique<SystemWork>();
  work->owner = system;
  work->system = system->secondOrder();
  if (work->system == nullptr) {
    throw Error(std::string(scheme), "system '" + system->name() + "' (" + std::string(system->className()) +
                                         ") is not a mechanical one, and this scheme takes no other.");
  }
  work->length = work->system->length();
  const std::size_t n = work->system->dimension();
  work->system->mass(t, work->system->q(), work->mass);
  work->system->requireDefiniteMass(t, work->mass);
  work->q = work->qStar = work->system->q();
  work->v = work->system->velocity();
  for (Vector* v : {&work->p, &work->displacement, &work->forcesBefore, &work->forces, &work->residual, &work->vFree,
                    &work->vChange}) {
    *v = Vector(n);
  }
  work->W = work->mass;
  return work;
}

SecondOrderWorkspace::Role SecondOrderWorkspace::roleOf(const NonSmoothLaw& law) {
  if (law.actsOnVelocities()) return law.actsAcrossGaps() ? Role::other : Role::contact;
  if (law.set()->isFree()) return Role::equality;
  return law.set()->isBox() ? Role::motor : Role::other;
}

std::unique_ptr<SecondOrderWorkspace::InteractionWork> SecondOrderWorkspace::makeWork(
    const Topology& topology, std::size_t k, std::string_view scheme, std::unique_ptr<InteractionWork> spare) const {
  auto work = spare ? std::move(spare) : std::make_unique<InteractionWork>();
  static_cast<InteractionValues&>(*work) = {};
  work->interaction = topology.interactions()[k];
  work->relation = work->interaction->relation().secondOrder();
  if (work->relation == nullptr) {
    throw Error("Interaction '" + work->interaction->name() + "'",
                std::string(scheme) + " does not take the relation " +
                    std::string(work->interaction->relation().className()) + ".");
  }
  work->interaction->setLevels(2);
  const std::size_t m = work->interaction->size();
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    work->velocities += systems[topology.couplings()[c].system].v.size();
  }
  work->blockRows = work->interaction->law().size();
  work->role = roleOf(work->interaction->law());
  takeRelation(*work);
  assignZero(work->G, m, work->velocities);
  assignZero(work->compliance, 0, 0);
  work->right.assign(m * work->velocities, 0.);
  for (Vector* v : {&work->y, &work->yDot, &work->force}) assignZero(*v, m);
  work->restitution = work->interaction->law().restitution();
  work->demanded.assign(work->interaction->blocks(), 0);
  work->missed.assign(work->interaction->blocks(), 0);
  for (auto* numbers : {&work->reach, &work->least}) numbers->assign(work->interaction->blocks(), 0.);
  return work;
}

std::vector<IterationMatrix> SecondOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const SystemWork& work : systems.all()) all.push_back({{work.system}, toDense(work.W)});
  return all;
}

void SecondOrderWorkspace::serializeState(StateArchive& archive) {
  // Parameters go back to what they were, but functions of the user do not.
  if (archive.restores()) knowsSelfContained_ = false;
  archive.value("linearSystems", linearSystems);
  archive.value("anyCompliant", anyCompliant);
  archive.value("restTolerance", restTolerance);
  for (SystemWork& work : systems.all()) {
    archive.value("linear", work.linear);
    archive.value("stale", work.stale);
    archive.value("changed", work.changed);
    archive.value("stateResets", work.stateResets);
    archive.value("parameterChanges", work.parameterChanges);
    archive.value("factoredStep", work.factoredStep);
    archive.value("factorVersion", work.factorVersion);
    archive.value("isAsleep", work.isAsleep);
    archive.value("knowsForces", work.knowsForces);
    archive.value("rest", work.rest);
    archive.value("linksAsleep", work.linksAsleep);
    archive.value("forcesAsleep", work.forcesAsleep);
    archive.value("pull", work.pull);
    for (Vector* const v : {&work.q, &work.v, &work.p, &work.qStar, &work.displacement, &work.forcesBefore,
                            &work.forces, &work.residual, &work.vFree, &work.vChange, &work.pReach, &work.vReach}) {
      archive.value("vector", *v);
    }
    for (SquareMatrix* const a : {&work.mass, &work.W}) a->serializeState(archive);
    if (archive.restores() && work.factoredStep != 0.) work.factor.tryFactor(work.W);
    if (archive.restores()) work.evaluated.reset();
  }
  for (InteractionWork& work : interactions.all()) {
    archive.value("stale", work.stale);
    archive.value("parameterChanges", work.parameterChanges);
    archive.value("blocksFactors", work.blocksFactors);
    archive.value("isReset", work.isReset);
    archive.value("holdsJacobian", work.holdsJacobian);
    archive.value("compliant", work.compliant);
    archive.value("resolved", work.resolved);
    archive.value("demanded", work.demanded);
    archive.value("anyActive", work.anyActive);
    archive.value("kept", work.kept);
    archive.value("knowsReach", work.knowsReach);
    archive.values("reach", work.reach.data(), work.reach.size());
    archive.value("isAsleep", work.isAsleep);
    for (Vector* const v : {&work.y, &work.yDot, &work.force}) archive.value("vector", *v);
    archive.values("G", data(work.G), work.G.data().size());
    archive.values("right", work.right.data(), work.right.size());
    archive.value("compliance", work.compliance);
  }
  equations.serializeState(archive);
}

void SecondOrderWorkspace::findSelfContained() {
  if (threads() == 1 || knowsSelfContained_) return;
  const auto all = [](const auto& works, auto isSelfContained) {
    return std::all_of(works.begin(), works.end(), isSelfContained);
  };
  const bool systemsAre = all(systems.all(), [](const SystemWork& work) { return work.system->isSelfContained(); });
  systems.setSelfContained(systemsAre);
  // A sparse factor solves for one contact at a time.
  const bool areDense = all(systems.all(), [](const SystemWork& work) { return !work.mass.isSparse(); });
  interactions.setSelfContained(systemsAre && areDense && all(interactions.all(), [](const InteractionWork& work) {
                                  return work.relation->isSelfContained();
                                }));
  knowsSelfContained_ = true;
}

bool SecondOrderWorkspace::findStale() {
  bool any = false;
  bool anySystem = false;
  bool anyChanged = false;
  for (SystemWork& work : systems.all()) {
    work.stale = work.stateResets != work.system->stateResets();
    work.changed = work.parameterChanges != work.system->parameterChanges();
    anySystem = anySystem || work.stale;
    anyChanged = anyChanged || work.changed;
  }
  for (InteractionWork& work : interactions.all()) {
    work.stale = work.parameterChanges != work.relation->parameterChanges();
    if (work.stale) takeRelation(work);
    for (std::size_t c = work.begin; anySystem && !work.stale && c < work.end; ++c) work.stale = systemOf(c).stale;
    any = any || work.stale;
  }
  any = any || anySystem || anyChanged;
  if (any) knowsSelfContained_ = false;
  findSelfContained();
  return any;
}

void SecondOrderWorkspace::markFresh() {
  for (SystemWork& work : systems.all()) {
    work.stateResets = work.system->stateResets();
    work.parameterChanges = work.system->parameterChanges();
  }
  for (InteractionWork& work : interactions.all()) work.parameterChanges = work.relation->parameterChanges();
}

void SecondOrderWorkspace::takeRelation(InteractionWork& work) {
  work.linear = work.relation->isLinear();
  work.timeDependent = work.relation->isTimeDependent();
  work.compliant = work.relation->isCompliant();
}

void SecondOrderWorkspace::applyMultipliers(Vector SystemWork::*x, bool measures) {
  interactions.forEach([&](const InteractionWork& work) {
    if (!work.anyActive) std::fill_n(equations.multiplier(work.number), work.y.size(), 0.);
  });
  systems.forEach([&](SystemWork& work) {
    if (measures) {
      (work.*x).swap(work.vChange);
      assignZero(work.pReach, work.vFree.size());
      assignZero(work.vReach, work.vFree.size());
    }
    assign(work.vFree, work.*x);
    setZero(work.p);
    for (const std::uint32_t c : equations.couplingsAt(work.number)) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      if (!interactions[coupling.interaction].anyActive) continue;
      const double* const multiplier = equations.multiplier(coupling.interaction);
      coupling.addState(multiplier, data(work.*x));
      coupling.addInput(multiplier, data(work.p));
      if (measures) addReach(coupling, multiplier, work);
    }
    if (!measures) return;
    for (std::size_t i = 0; i < work.vChange.size(); ++i) work.vChange(i) = (work.*x)(i)-work.vChange(i);
  });
}

void SecondOrderWorkspace::addReach(const StepEquations::Coupling& coupling, const double* multiplier,
                                    SystemWork& system) {
  const double* left = coupling.left;
  for (std::size_t i = 0; i < coupling.columns; ++i, left += coupling.rows) {
    for (std::size_t j = 0; j < coupling.rows; ++j) {
      system.pReach(i) += std::abs(left[j] * multiplier[j]);
      system.vReach(i) += std::abs(coupling.right[i + j * coupling.columns] * multiplier[j]);
    }
  }
}

const Vector& SecondOrderWorkspace::stacked(const InteractionWork& work, const Vector SystemWork::*member) const {
  if (work.end - work.begin == 1) return systemOf(work.begin).*member;
  std::size_t size = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) size += (systemOf(c).*member).size();
  static thread_local Vector stack;
  if (stack.size() != size) stack.resize(size, false);
  double* to = data(stack);
  for (std::size_t c = work.begin; c < work.end; ++c) {
    for (const double entry : systemOf(c).*member) *to++ = entry;
  }
  return stack;
}

void SecondOrderWorkspace::addRate(const InteractionWork& work, const Vector SystemWork::*v, double* y) const {
  for (std::size_t c = work.begin; c < work.end; ++c) equations.couplings()[c].addOutput(data(systemOf(c).*v), y);
}

// A user's function that assigns an expression gives the matrix other storage; the blocks of a step stay in theirs.
const Matrix& SecondOrderWorkspace::jacobianAt(const InteractionWork& work, double t,
                                               const Vector SystemWork::*q) const {
  static thread_local Matrix jacobian;
  assignZero(jacobian, work.interaction->size(), work.velocities);
  naming(work, "Jacobian G", t, [&] { work.relation->computeJacobian(t, stacked(work, q), work.force, jacobian); });
  require(work, jacobian, work.velocities, "Jacobian G", t);
  return jacobian;
}

void SecondOrderWorkspace::addRateAt(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                     const Vector SystemWork::*v, Vector& y) const {
  const Matrix& G = jacobianAt(work, t, q);
  multiply(1., G, stacked(work, v), 1., y);
}

namespace {

SecondOrderWorkspace::EvaluatedFunctions& evaluatedOf(SecondOrderWorkspace::SystemWork& work) {
  if (!work.evaluated) work.evaluated = std::make_unique<SecondOrderWorkspace::EvaluatedFunctions>();
  return *work.evaluated;
}

}  // namespace

void SecondOrderWorkspace::computeForces(SystemWork& work, double t, const Vector& q, const Vector& v) {
  if (work.linear) return work.system->forces(t, q, v, work.forces);
  Evaluated& last = evaluatedOf(work).forces;
  if (last.isAt(t, q, v, work.system->parameterChanges())) return;
  last.forget();
  work.system->forces(t, q, v, work.forces);
  last.take(t, q, v, work.system->parameterChanges());
}

void SecondOrderWorkspace::computeMass(SystemWork& work, double t, const Vector& q) {
  if (work.linear) return work.system->mass(t, q, work.mass);
  Evaluated& last = evaluatedOf(work).mass;
  const Vector none;
  if (last.isAt(0., q, none, work.system->parameterChanges())) return;
  last.forget();
  work.system->mass(t, q, work.mass);
  last.take(0., q, none, work.system->parameterChanges());
}

void SecondOrderWorkspace::solveForRight(InteractionWork& work) {
  const std::size_t m = work.G.size1();
  const double* left = data(work.G);
  double* right = work.right.data();
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const SystemWork& system = systemOf(c);
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

void SecondOrderWorkspace::computeOutput(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                         Vector& y) const {
  assignZero(y, work.interaction->size());
  naming(work, "output", t, [&] { work.relation->computeOutput(t, stacked(work, q), work.force, y); });
  require(work, y, "output", t);
}

void SecondOrderWorkspace::computeDrift(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                        Vector& drift) const {
  assignZero(drift, work.interaction->size());
  if (!work.timeDependent) return;
  const char* const what = "derivative with respect to time";
  naming(work, what, t, [&] { work.relation->computeDrift(t, stacked(work, q), drift); });
  require(work, drift, what, t);
}

void SecondOrderWorkspace::computeJacobian(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                           Matrix& G) const {
  const Matrix& jacobian = jacobianAt(work, t, q);
  if (G.size1() != jacobian.size1() || G.size2() != jacobian.size2()) {
    assignZero(G, jacobian.size1(), jacobian.size2());
  }
  std::copy(jacobian.data().begin(), jacobian.data().end(), data(G));
}

void SecondOrderWorkspace::computeCompliance(InteractionWork& work, double t, const Vector SystemWork::*q) const {
  const std::size_t m = work.interaction->size();
  assignZero(work.compliance, m, m);
  naming(work, "compliance", t,
         [&] { work.relation->computeCompliance(t, stacked(work, q), work.force, work.compliance); });
  require(work, work.compliance, m, "compliance", t);
}

}  // namespace delassus
