// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <numeric>
#include <string>

namespace delassus {

void FirstOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  bindSystems(topology, t, scheme);
  bindInteractions(topology, scheme);
  findNodes();
  makeBlocks();
  makeEquations(scheme);
}

void FirstOrderWorkspace::bindSystems(const Topology& topology, double t, std::string_view scheme) {
  systems = std::vector<SystemWork>(topology.systems().size());
  linear = true;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    DynamicalSystem& system = *topology.systems()[i];
    SystemWork& work = systems[i];
    work.owner = topology.systems()[i];
    work.system = system.firstOrder();
    if (work.system == nullptr) {
      throw Error(std::string(scheme), "system '" + system.name() + "' (" + std::string(system.className()) +
                                           ") is not of first order, and this scheme takes no other.");
    }
    const std::size_t n = work.system->dimension();
    work.mass = Matrix(n, n);
    work.system->mass(t, work.system->x(), work.mass);
    work.system->requireRegularMass(t, work.mass);
    work.parameterChanges = work.system->parameterChanges();
    work.linear = work.system->isLinear();
    work.timeInvariant = work.system->isTimeInvariant();
    work.autonomous = work.system->isAutonomous();
    linear = linear && work.linear;
    work.x = work.xPlace = work.xMass = work.xFreePlace = work.system->x();
    for (Vector* v : {&work.r, &work.xDot, &work.f, &work.fBefore, &work.residual, &work.xFree, &work.inputTerms,
                      &work.terms, &work.termsBefore, &work.xLast}) {
      assignZero(*v, n);
    }
    for (Matrix* m : {&work.byX, &work.byRate, &work.byRateBefore}) assignZero(*m, n, n);
  }
}

void FirstOrderWorkspace::bindInteractions(const Topology& topology, std::string_view scheme) {
  interactions = std::vector<InteractionWork>(topology.interactions().size());
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionWork& work = interactions[k];
    work.interaction = topology.interactions()[k];
    Interaction& interaction = *work.interaction;
    const std::string label = "Interaction '" + interaction.name() + "'";
    work.relation = interaction.relation().firstOrder();
    if (work.relation == nullptr) {
      throw Error(label, std::string(scheme) + " does not take the relation " +
                             std::string(interaction.relation().className()) + ".");
    }
    if (interaction.law().actsOnVelocities()) {
      throw Error(label, std::string(scheme) + " takes laws between outputs and multipliers, but " +
                             std::string(interaction.law().className()) + " is one between velocities and impulses.");
    }
    interaction.setLevels(1);
    const std::size_t m = interaction.size();
    for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
      const std::size_t system = topology.couplings()[c].system;
      work.links.push_back({system, work.states, 0});
      work.states += systems[system].x.size();
    }
    work.linear = work.relation->isLinear();
    linear = linear && work.linear;
    for (Vector* v : {&work.y, &work.freeOutput, &work.noMultiplier, &work.yLinear}) assignZero(*v, m);
    work.multiplier = interaction.lambda(0);
    assignZero(work.input, work.states);
    assignZero(work.stack, work.states);
    assignZero(work.C, m, work.states);
    assignZero(work.D, m, m);
    assignZero(work.B, work.states, m);
    if (work.relation->inputDependsOnState()) assignZero(work.K, work.states, work.states);
  }
}

// Joins the systems that a relation with K ≠ 0 links.
void FirstOrderWorkspace::findNodes() {
  std::vector<std::size_t> root(systems.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const InteractionWork& work : interactions) {
    if (!work.relation->inputDependsOnState()) continue;
    for (const Link& link : work.links) root[find(link.system)] = find(work.links.front().system);
  }
  nodes.clear();
  std::vector<std::size_t> nodeOfRoot(systems.size(), systems.size());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    std::size_t& number = nodeOfRoot[find(i)];
    if (number == systems.size()) {
      number = nodes.size();
      nodes.emplace_back();
    }
    Node& node = nodes[number];
    systems[i].node = number;
    systems[i].offset = node.size;
    node.systems.push_back(i);
    node.size += systems[i].x.size();
  }
  for (const InteractionWork& work : interactions) {
    if (!work.relation->inputDependsOnState()) continue;
    nodeOf(work).hasInputJacobian = true;
  }
  for (Node& node : nodes) {
    assignZero(node.W, node.size, node.size);
    assignZero(node.stack, node.size);
  }
}

void FirstOrderWorkspace::makeBlocks() {
  blocks.clear();
  std::vector<std::size_t> nodeOf;  // by couplings
  for (InteractionWork& work : interactions) {
    work.couplingBegin = nodeOf.size();
    for (Link& link : work.links) {
      const std::size_t node = systems[link.system].node;
      link.coupling = work.couplingBegin;
      while (link.coupling < nodeOf.size() && nodeOf[link.coupling] != node) ++link.coupling;
      if (link.coupling < nodeOf.size()) continue;
      nodeOf.push_back(node);
      const std::size_t m = work.interaction->size();
      blocks.push_back({Matrix(m, nodes[node].size), Matrix(nodes[node].size, m)});
    }
    work.couplingEnd = nodeOf.size();
  }
}

// All blocks of the laws between first-order systems act.
void FirstOrderWorkspace::makeEquations(std::string_view scheme) {
  equations.clear(scheme);
  for (const InteractionWork& work : interactions) {
    equations.addInteraction(work.interaction->size(), work.interaction->blocks());
    std::size_t next = work.couplingBegin;
    for (const Link& link : work.links) {
      if (link.coupling != next) continue;
      const Blocks& own = blocks[next++];
      equations.addCoupling(systems[link.system].node, own.left.size2(), data(own.left), data(own.right));
    }
  }
  equations.finish();
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    for (std::size_t block = 0; block < equations.blocks(k); ++block) equations.setActive(k, block, true);
    setFeedthrough(k);
  }
}

void FirstOrderWorkspace::setFeedthrough(std::size_t interaction) {
  const InteractionWork& work = interactions[interaction];
  equations.setFeedthrough(interaction, work.relation->hasFeedthrough() ? &work.D : nullptr);
}

std::vector<IterationMatrix> FirstOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const Node& node : nodes) {
    all.push_back({{}, node.W});
    for (const std::size_t system : node.systems) all.back().systems.push_back(systems[system].system);
  }
  return all;
}

void FirstOrderWorkspace::serializeState(StateArchive& archive) {
  archive.value("linear", linear);
  for (SystemWork& work : systems) {
    archive.value("linear", work.linear);
    archive.value("timeInvariant", work.timeInvariant);
    archive.value("autonomous", work.autonomous);
    archive.value("stateResets", work.stateResets);
    archive.value("parameterChanges", work.parameterChanges);
    for (Vector* const v :
         {&work.x, &work.r, &work.xPlace, &work.xMass, &work.xDot, &work.f, &work.fBefore, &work.residual,
          &work.inputTerms, &work.terms, &work.termsBefore, &work.xLast, &work.xFree, &work.xFreePlace}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&work.mass, &work.byX, &work.byRate, &work.byRateBefore}) archive.value("matrix", *a);
  }
  for (Node& node : nodes) {
    archive.value("factoredStep", node.factoredStep);
    archive.value("factored", node.factored);
    archive.value("factorVersion", node.factorVersion);
    archive.value("W", node.W);
    if (archive.restores() && node.factoredStep >= 0.) node.factor.tryFactor(node.W);
    if (archive.restores()) node.factors.clear();
  }
  for (InteractionWork& work : interactions) {
    archive.value("linear", work.linear);
    archive.value("parameterChanges", work.parameterChanges);
    archive.value("blocksFactors", work.blocksFactors);
    for (Vector* const v :
         {&work.y, &work.freeOutput, &work.multiplier, &work.noMultiplier, &work.yLinear, &work.input}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&work.C, &work.D, &work.B, &work.K}) archive.value("matrix", *a);
  }
  for (Blocks& coupling : blocks) {
    for (Matrix* const a : {&coupling.left, &coupling.right}) archive.values("block", data(*a), a->data().size());
  }
  equations.serializeState(archive);
}

bool FirstOrderWorkspace::isTimeInvariant(const Node& node) const {
  return !node.hasInputJacobian && std::all_of(node.systems.begin(), node.systems.end(),
                                               [this](std::size_t i) { return systems[i].timeInvariant; });
}

const Vector& FirstOrderWorkspace::stacked(InteractionWork& work, Vector SystemWork::*member) const {
  if (work.links.size() == 1) return systems[work.links.front().system].*member;
  for (const Link& link : work.links) {
    const Vector& part = systems[link.system].*member;
    std::copy(part.begin(), part.end(), data(work.stack) + link.column);
  }
  return work.stack;
}

void FirstOrderWorkspace::addOutputChange(const InteractionWork& work, double factor, Vector SystemWork::*from,
                                          Vector SystemWork::*to, Vector& y) const {
  for (const Link& link : work.links) {
    const SystemWork& system = systems[link.system];
    for (std::size_t j = 0; j < system.x.size(); ++j) {
      const double change = factor * ((system.*to)(j) - (system.*from)(j));
      for (std::size_t i = 0; i < y.size(); ++i) y(i) += work.C(i, link.column + j) * change;
    }
  }
}

void FirstOrderWorkspace::addToSystems(const InteractionWork& work, double factor, const Vector& v,
                                       Vector SystemWork::*member) {
  for (const Link& link : work.links) {
    Vector& part = systems[link.system].*member;
    for (std::size_t i = 0; i < part.size(); ++i) part(i) += factor * v(link.column + i);
  }
}

void FirstOrderWorkspace::addInputTerms(InteractionWork& work) {
  const bool byState = work.relation->inputDependsOnState();
  for (const Link& link : work.links) {
    Vector& terms = systems[link.system].inputTerms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::size_t row = link.column + i;
      for (std::size_t j = 0; j < work.multiplier.size(); ++j)
        terms(i) += std::abs(work.B(row, j) * work.multiplier(j));
      if (!byState) continue;
      for (const Link& other : work.links) {
        const Vector& x = systems[other.system].x;
        for (std::size_t j = 0; j < x.size(); ++j) terms(i) += std::abs(work.K(row, other.column + j) * x(j));
      }
    }
  }
}

// In the one node that contains all its systems.
void FirstOrderWorkspace::subtractInputJacobian(const InteractionWork& work, double factor) {
  Matrix& W = nodeOf(work).W;
  for (const Link& row : work.links) {
    for (const Link& column : work.links) {
      const SystemWork& to = systems[row.system];
      const SystemWork& from = systems[column.system];
      for (std::size_t j = 0; j < from.x.size(); ++j) {
        for (std::size_t i = 0; i < to.x.size(); ++i) {
          W(to.offset + i, from.offset + j) -= factor * work.K(row.column + i, column.column + j);
        }
      }
    }
  }
}

void FirstOrderWorkspace::solve(Node& node, Vector SystemWork::*member) {
  if (node.systems.size() == 1) {
    node.factor.solve(systems[node.systems.front()].*member);
    return;
  }
  for (const std::size_t i : node.systems) {
    const Vector& part = systems[i].*member;
    std::copy(part.begin(), part.end(), data(node.stack) + systems[i].offset);
  }
  node.factor.solve(node.stack);
  for (const std::size_t i : node.systems) {
    Vector& part = systems[i].*member;
    std::copy_n(data(node.stack) + systems[i].offset, part.size(), part.begin());
  }
}

void FirstOrderWorkspace::addToNode(Node& node, const Matrix& A, const Vector& v, Vector SystemWork::*member) {
  if (node.systems.size() == 1) {
    multiply(1., A, v, 1., systems[node.systems.front()].*member);
    return;
  }
  multiply(1., A, v, 0., node.stack);
  for (const std::size_t i : node.systems) {
    Vector& part = systems[i].*member;
    for (std::size_t k = 0; k < part.size(); ++k) part(k) += node.stack(systems[i].offset + k);
  }
}

namespace {

// These run in every step: a message is composed only if there is an error.
std::string describe(const FirstOrderWorkspace::InteractionWork& work, const char* what, double t) {
  return "Interaction '" + work.interaction->name() + "': " + what + " of " + std::string(work.relation->className()) +
         " at t = " + toText(t);
}

// A relation does not know its interaction, so errors are completed here.
template <class Function>
void naming(const FirstOrderWorkspace::InteractionWork& work, const char* what, double t, Function function) {
  evaluateNamed([&] { return describe(work, what, t); }, function);
}

void require(const FirstOrderWorkspace::InteractionWork& work, const Vector& v, std::size_t size, const char* what,
             double t) {
  if (v.size() == size && allFinite(v)) return;
  const std::string name = describe(work, what, t);
  requireSize(v, size, name);
  requireFinite(v, name);
}

void require(const FirstOrderWorkspace::InteractionWork& work, const Matrix& a, std::size_t rows, std::size_t columns,
             const char* what, double t) {
  if (a.size1() == rows && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(work, what, t);
  requireSize(a, rows, columns, name);
  requireFinite(a, name);
}

}  // namespace

void FirstOrderWorkspace::computeOutput(InteractionWork& work, double t, const Vector& x, const Vector& lambda,
                                        Vector& y) {
  assignZero(y, work.multiplier.size());
  naming(work, "output h", t, [&] { work.relation->computeOutput(t, x, lambda, y); });
  require(work, y, work.multiplier.size(), "output h", t);
}

bool FirstOrderWorkspace::computeOutputRate(InteractionWork& work, double t, const Vector& x, const Vector& lambda,
                                            Vector& yDot) {
  bool known = false;
  assignZero(yDot, work.multiplier.size());
  naming(work, "rate of h", t, [&] { known = work.relation->computeOutputRate(t, x, lambda, yDot); });
  if (known) require(work, yDot, work.multiplier.size(), "rate of h", t);
  return known;
}

void FirstOrderWorkspace::computeInput(InteractionWork& work, double t, const Vector& x, const Vector& lambda) {
  assignZero(work.input, work.states);
  naming(work, "input g", t, [&] { work.relation->computeInput(t, x, lambda, work.input); });
  require(work, work.input, work.states, "input g", t);
}

void FirstOrderWorkspace::computeJacobians(InteractionWork& work, double t, const Vector& x, const Vector& lambda) {
  const std::size_t m = work.multiplier.size();
  assignZero(work.C, m, work.states);
  naming(work, "Jacobian C", t, [&] { work.relation->computeC(t, x, lambda, work.C); });
  require(work, work.C, m, work.states, "Jacobian C", t);
  assignZero(work.B, work.states, m);
  naming(work, "Jacobian B", t, [&] { work.relation->computeB(t, x, lambda, work.B); });
  require(work, work.B, work.states, m, "Jacobian B", t);
  if (work.relation->hasFeedthrough()) {
    assignZero(work.D, m, m);
    naming(work, "Jacobian D", t, [&] { work.relation->computeD(t, x, lambda, work.D); });
    require(work, work.D, m, m, "Jacobian D", t);
  }
  if (work.relation->inputDependsOnState()) {
    assignZero(work.K, work.states, work.states);
    naming(work, "Jacobian K", t, [&] { work.relation->computeK(t, x, lambda, work.K); });
    require(work, work.K, work.states, work.states, "Jacobian K", t);
  }
}

}  // namespace delassus
