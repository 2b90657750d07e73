// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <numeric>
#include <string>
#include <utility>

namespace delassus {

bool SecondOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme,
                                FlowRelations flows) {
  const Topology& topology = model.topology();
  knowsSelfContained_ = false;
  areOthers_ = nodes.update(topology, t) || areOthers_;
  if (areOthers_) {
    systems = {};
    interactions = {};
  }
  nodes.takeParts();
  systems.update(nodes.serials(), [&](std::size_t i) { return makeWork(nodes.systems()[i], t, scheme); });
  // Of what remains; new ones are stale, and taken in then.
  linearSystems = true;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    systems[i].number = i;
    systems[i].isSeenInParts = false;
    linearSystems = linearSystems && systems[i].linear;
  }
  bindInteractions(topology, scheme, flows);
  return std::exchange(areOthers_, false);
}

void SecondOrderWorkspace::bindInteractions(const Topology& topology, std::string_view scheme, FlowRelations flows) {
  interactions.update(topology.interactionSerials(), [&](std::size_t k, std::unique_ptr<InteractionWork> spare) {
    return makeWork(topology, k, scheme, flows, std::move(spare));
  });
  findInterfaces(topology);
  anyCompliant = anyEquality = anyFlow = false;
  equations.clear(scheme);
  places.clear();
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionWork& work = interactions[k];
    work.number = k;
    work.begin = topology.couplingBegin(k);
    work.end = topology.couplingEnd(k);
    anyCompliant = anyCompliant || work.compliant;
    anyEquality = anyEquality || work.role == Role::equality;
    anyFlow = anyFlow || work.flow;
    equations.addInteraction(work.G.size1(), work.demanded.size());
    addCouplings(topology, work);
  }
  equations.finish();
}

void SecondOrderWorkspace::bindNodes() {
  if (anyFlow) return;
  for (SystemWork& work : systems.all()) equations.addNode({&work.W, &work.factor, &work.vFree});
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
                    &work->vChange, &work->acceleration}) {
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

void SecondOrderWorkspace::findRelation(InteractionWork& work, std::string_view scheme, FlowRelations flows) {
  Relation& relation = work.interaction->relation();
  work.relation = relation.secondOrder();
  if (work.relation != nullptr) return;
  const auto label = [&] { return "Interaction '" + work.interaction->name() + "'"; };
  FirstOrderR* const flow = flows == FlowRelations::taken ? relation.firstOrder() : nullptr;
  if (flow == nullptr) {
    throw Error(label(),
                std::string(scheme) + " does not take the relation " + std::string(relation.className()) + ".");
  }
  const NonSmoothLaw& law = work.interaction->law();
  if (law.actsOnVelocities()) {
    throw Error(label(), "between systems of first order " + std::string(scheme) +
                             " takes laws between outputs and multipliers, but " + std::string(law.className()) +
                             " is one between velocities and impulses.");
  }
  std::vector<double> block(law.unknowns() * law.unknowns(), 0.);
  law.addBlock(block.data());
  const bool isPlain = std::all_of(block.begin(), block.end(), [](double entry) { return entry == 0.; });
  if (!law.hasIntervals() || !isPlain) {
    throw Error(label(), "between systems of first order " + std::string(scheme) +
                             " takes laws of multipliers in intervals, but " + std::string(law.className()) +
                             " is another one; EulerMoreauOSI takes it, where nothing ties the systems to mechanical "
                             "ones.");
  }
  work.flow = std::make_shared<FlowRelation>(*flow, work.velocities, label());
  work.relation = work.flow.get();
}

std::unique_ptr<SecondOrderWorkspace::InteractionWork> SecondOrderWorkspace::makeWork(
    const Topology& topology, std::size_t k, std::string_view scheme, FlowRelations flows,
    std::unique_ptr<InteractionWork> spare) const {
  auto work = spare ? std::move(spare) : std::make_unique<InteractionWork>();
  static_cast<InteractionValues&>(*work) = {};
  work->interaction = topology.interactions()[k];
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    work->velocities += columnsOf(topology.couplings()[c], topology).count;
  }
  findRelation(*work, scheme, flows);
  work->interaction->setLevels(work->flow ? 1 : 2);
  const std::size_t m = work->interaction->size();
  work->blockRows = work->interaction->law().size();
  work->role = work->flow ? Role::other : roleOf(work->interaction->law());
  takeRelation(*work);
  assignZero(work->G, m, work->velocities);
  assignZero(work->input, work->flow ? m : 0, work->flow ? work->velocities : 0);
  assignZero(work->compliance, 0, 0);
  for (Vector* v : {&work->y, &work->yDot, &work->force}) assignZero(*v, m);
  work->restitution = work->interaction->law().restitution();
  work->demanded.assign(work->interaction->blocks(), 0);
  work->missed.assign(work->interaction->blocks(), 0);
  work->expected.assign(work->interaction->blocks(), 0);
  for (auto* numbers : {&work->reach, &work->least}) numbers->assign(work->interaction->blocks(), 0.);
  return work;
}

std::vector<IterationMatrix> SecondOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const SystemWork& work : systems.all()) all.push_back({nodes.membersOf(work.number), toDense(work.W)});
  return all;
}

void SecondOrderWorkspace::SystemWork::serializeState(StateArchive& archive) {
  archive.value("linear", linear);
  outputsFrom.serializeState(archive, "outputsFrom");
  linearFrom.serializeState(archive, "linearFrom");
  DisplacementWeight::serializeState(archive);
  SleepState::serializeState(archive);
  NodeMagnitudes::serializeState(archive);
  TrialState::serializeState(archive);
  NodeEquations::serializeState(archive);
  IterationNode::serializeState(archive);
  if (interface != nullptr) interface->serializeState(archive);
  if (archive.restores()) evaluated.reset();
}

namespace {

void serialize(StateArchive& archive, SecondOrderWorkspace::InteractionWork& work) {
  work.outputsFrom.serializeState(archive, "outputsFrom");
  work.blocksFrom.serializeState(archive, "blocksFrom");
  archive.value("isReset", work.isReset);
  archive.value("holdsJacobian", work.holdsJacobian);
  archive.value("compliant", work.compliant);
  archive.value("resolved", work.resolved);
  archive.value("demanded", work.demanded);
  archive.value("anyActive", work.anyActive);
  archive.value("kept", work.kept);
  work.keptDepth.serializeState(archive);
  archive.value("knowsReach", work.knowsReach);
  archive.values("reach", work.reach.data(), work.reach.size());
  archive.value("levers", work.levers);
  archive.value("isAsleep", work.isAsleep);
  for (Vector* const v : {&work.y, &work.yDot, &work.force}) archive.value("vector", *v);
  archive.values("G", data(work.G), work.G.data().size());
  archive.values("input", data(work.input), work.input.data().size());
  archive.value("compliance", work.compliance);
}

}  // namespace

void SecondOrderWorkspace::serializeState(StateArchive& archive) {
  // Parameters go back to what they were, but functions of the user do not.
  if (archive.restores()) knowsSelfContained_ = false;
  nodes.serializeState(archive);
  archive.value("linearSystems", linearSystems);
  archive.value("anyCompliant", anyCompliant);
  archive.value("restTolerance", restTolerance);
  for (SystemWork& work : systems.all()) work.serializeState(archive);
  for (InteractionWork& work : interactions.all()) serialize(archive, work);
  equations.serializeState(archive);
}

void SecondOrderWorkspace::findSelfContained() {
  if (threads() == 1 || knowsSelfContained_) return;
  const auto all = [](const auto& works, auto isSelfContained) {
    return std::all_of(works.begin(), works.end(), isSelfContained);
  };
  const bool systemsAre = all(systems.all(), [](const SystemWork& work) { return work.system->isSelfContained(); });
  systems.setSelfContained(systemsAre);
  // Right blocks of a sparse node are solved for by one factorisation, which takes one thread at a time.
  const bool areAlone =
      all(systems.all(), [](const SystemWork& work) { return !work.mass.isSparse() || work.interface != nullptr; });
  interactions.setSelfContained(systemsAre && areAlone && all(interactions.all(), [](const InteractionWork& work) {
                                  return work.relation->isSelfContained();
                                }));
  knowsSelfContained_ = true;
}

bool SecondOrderWorkspace::isStale(const InteractionWork& work) const {
  if (!work.outputsFrom.isCurrent(work.relation->parameterChanges())) return true;
  if (!anyReset_) return false;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    if (systemOf(c).isReset()) return true;
  }
  return false;
}

bool SecondOrderWorkspace::takeChanges() {
  nodes.takeParts();
  bool any = anyReset_ = false;
  for (const SystemWork& work : systems.all()) {
    anyReset_ = anyReset_ || work.isReset();
    any = any || work.hasChanged();
  }
  any = any || anyReset_;
  for (InteractionWork& work : interactions.all()) {
    if (work.outputsFrom.isCurrent(work.relation->parameterChanges())) continue;
    takeRelation(work);
    any = true;
  }
  if (any) knowsSelfContained_ = false;
  findSelfContained();
  return any;
}

void SecondOrderWorkspace::markFresh() {
  for (SystemWork& work : systems.all()) {
    work.outputsFrom.take(work.system->stateResets());
    work.linearFrom.take(work.system->parameterChanges());
  }
  for (InteractionWork& work : interactions.all()) work.outputsFrom.take(work.relation->parameterChanges());
}

void SecondOrderWorkspace::takeRelation(InteractionWork& work) {
  work.linear = work.relation->isLinear();
  work.timeDependent = work.relation->isTimeDependent();
  work.compliant = work.relation->isCompliant();
  work.thickness = work.relation->thickness();
}

template <class PartOf>
const Vector& SecondOrderWorkspace::stacked(const InteractionWork& work, const Vector SystemWork::*member,
                                            const PartOf& partOf) const {
  const Vector& only = systemOf(work.begin).*member;
  if (work.end - work.begin == 1 && partOf(work.begin).size() == only.size()) return only;
  std::size_t size = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) size += partOf(c).size();
  static thread_local Vector stack;
  if (stack.size() != size) stack.resize(size, false);
  double* to = data(stack);
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const std::span<const double> part = partOf(c);
    to = std::copy(part.begin(), part.end(), to);
  }
  return stack;
}

const Vector& SecondOrderWorkspace::configurations(const InteractionWork& work,
                                                   const Vector SystemWork::*member) const {
  return stacked(work, member, [&](std::size_t c) { return configurationOf(c, member); });
}

const Vector& SecondOrderWorkspace::velocities(const InteractionWork& work, const Vector SystemWork::*member) const {
  return stacked(work, member, [&](std::size_t c) { return this->partOf(c, member); });
}

void SecondOrderWorkspace::addRate(const InteractionWork& work, const Vector SystemWork::*v, double* y) const {
  for (std::size_t c = work.begin; c < work.end; ++c) equations.couplings()[c].addOutput(data(systemOf(c).*v), y);
}

double SecondOrderWorkspace::squareInMass(const SystemWork& work, const Vector& v) {
  double square = 0.;
  for (std::size_t i = 0; i < v.size(); ++i) square += work.mass.diagonal(i) * v(i) * v(i);
  return square;
}

void SecondOrderWorkspace::setPull(SystemWork& work, const Vector& change, double duration) const {
  work.pull = std::sqrt(squareInMass(work, change)) / duration;
  if (!work.isSeenInParts) return work.pulls.clear();
  work.pulls.resize(change.size());
  for (std::size_t i = 0; i < change.size(); ++i) {
    work.pulls[i] = work.mass.diagonal(i) * change(i) * change(i) / (duration * duration);
  }
}

double SecondOrderWorkspace::pullOfPart(const SystemWork& node, const StepEquations::Coupling& part) {
  const auto begin = node.pulls.begin() + static_cast<std::ptrdiff_t>(part.first);
  return std::sqrt(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(part.columns), 0.));
}

}  // namespace delassus
