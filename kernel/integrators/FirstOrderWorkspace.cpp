// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
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
  systems = std::vector<SystemStep>(topology.systems().size());
  linear = true;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    DynamicalSystem& system = *topology.systems()[i];
    SystemStep& step = systems[i];
    step.owner = topology.systems()[i];
    step.system = system.firstOrder();
    if (step.system == nullptr) {
      throw Error(std::string(scheme), "system '" + system.name() + "' (" + std::string(system.className()) +
                                           ") is not of first order, and this scheme takes no other.");
    }
    const std::size_t n = step.system->dimension();
    step.mass = Matrix(n, n);
    step.system->mass(t, step.system->x(), step.mass);
    step.system->requireRegularMass(t, step.mass);
    step.parameterChanges = step.system->parameterChanges();
    step.linear = step.system->isLinear();
    step.timeInvariant = step.system->isTimeInvariant();
    step.autonomous = step.system->isAutonomous();
    linear = linear && step.linear;
    step.x = step.xPlace = step.xMass = step.xFreePlace = step.system->x();
    for (Vector* v : {&step.r, &step.xDot, &step.f, &step.fBefore, &step.residual, &step.xFree, &step.inputTerms}) {
      assignZero(*v, n);
    }
    for (Matrix* m : {&step.byX, &step.byRate, &step.byRateBefore}) assignZero(*m, n, n);
  }
}

void FirstOrderWorkspace::bindInteractions(const Topology& topology, std::string_view scheme) {
  interactions = std::vector<InteractionStep>(topology.interactions().size());
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionStep& step = interactions[k];
    step.interaction = topology.interactions()[k];
    Interaction& interaction = *step.interaction;
    const std::string label = "Interaction '" + interaction.name() + "'";
    step.relation = interaction.relation().firstOrder();
    if (step.relation == nullptr) {
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
      step.links.push_back({system, step.states, 0});
      step.states += systems[system].x.size();
    }
    step.linear = step.relation->isLinear();
    linear = linear && step.linear;
    for (Vector* v : {&step.y, &step.freeOutput, &step.noMultiplier, &step.yLinear}) assignZero(*v, m);
    step.multiplier = interaction.lambda(0);
    assignZero(step.input, step.states);
    assignZero(step.stack, step.states);
    assignZero(step.C, m, step.states);
    assignZero(step.D, m, m);
    assignZero(step.B, step.states, m);
    if (step.relation->inputDependsOnState()) assignZero(step.K, step.states, step.states);
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
  for (const InteractionStep& step : interactions) {
    if (!step.relation->inputDependsOnState()) continue;
    for (const Link& link : step.links) root[find(link.system)] = find(step.links.front().system);
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
  for (const InteractionStep& step : interactions) {
    if (!step.relation->inputDependsOnState()) continue;
    nodeOf(step).hasInputJacobian = true;
  }
  for (Node& node : nodes) {
    assignZero(node.W, node.size, node.size);
    assignZero(node.stack, node.size);
  }
}

void FirstOrderWorkspace::makeBlocks() {
  blocks.clear();
  std::vector<std::size_t> nodeOf;  // by couplings
  for (InteractionStep& step : interactions) {
    step.couplingBegin = nodeOf.size();
    for (Link& link : step.links) {
      const std::size_t node = systems[link.system].node;
      link.coupling = step.couplingBegin;
      while (link.coupling < nodeOf.size() && nodeOf[link.coupling] != node) ++link.coupling;
      if (link.coupling < nodeOf.size()) continue;
      nodeOf.push_back(node);
      const std::size_t m = step.interaction->size();
      blocks.push_back({Matrix(m, nodes[node].size), Matrix(nodes[node].size, m)});
    }
    step.couplingEnd = nodeOf.size();
  }
}

// All blocks of the laws between first-order systems act.
void FirstOrderWorkspace::makeEquations(std::string_view scheme) {
  equations.clear(scheme);
  for (const InteractionStep& step : interactions) {
    equations.addInteraction(step.interaction->size(), step.interaction->blocks());
    std::size_t next = step.couplingBegin;
    for (const Link& link : step.links) {
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
  const InteractionStep& step = interactions[interaction];
  equations.setFeedthrough(interaction, step.relation->hasFeedthrough() ? &step.D : nullptr);
}

std::vector<IterationMatrix> FirstOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const Node& node : nodes) {
    all.push_back({{}, &node.W});
    for (const std::size_t system : node.systems) all.back().systems.push_back(systems[system].system);
  }
  return all;
}

void FirstOrderWorkspace::serializeState(StateArchive& archive) {
  archive.value("linear", linear);
  for (SystemStep& step : systems) {
    archive.value("linear", step.linear);
    archive.value("timeInvariant", step.timeInvariant);
    archive.value("autonomous", step.autonomous);
    archive.value("stateResets", step.stateResets);
    archive.value("parameterChanges", step.parameterChanges);
    for (Vector* const v : {&step.x, &step.r, &step.xPlace, &step.xMass, &step.xDot, &step.f, &step.fBefore,
                            &step.residual, &step.inputTerms, &step.xFree, &step.xFreePlace}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&step.mass, &step.byX, &step.byRate, &step.byRateBefore}) archive.value("matrix", *a);
  }
  for (Node& node : nodes) {
    archive.value("factoredStep", node.factoredStep);
    archive.value("factored", node.factored);
    archive.value("factorVersion", node.factorVersion);
    archive.value("W", node.W);
    if (archive.restores() && node.factoredStep >= 0.) node.factor.tryFactor(node.W);
  }
  for (InteractionStep& step : interactions) {
    archive.value("linear", step.linear);
    archive.value("parameterChanges", step.parameterChanges);
    archive.value("blocksFactors", step.blocksFactors);
    for (Vector* const v :
         {&step.y, &step.freeOutput, &step.multiplier, &step.noMultiplier, &step.yLinear, &step.input}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&step.C, &step.D, &step.B, &step.K}) archive.value("matrix", *a);
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

const Vector& FirstOrderWorkspace::stacked(InteractionStep& step, Vector SystemStep::*member) const {
  if (step.links.size() == 1) return systems[step.links.front().system].*member;
  for (const Link& link : step.links) {
    const Vector& part = systems[link.system].*member;
    std::copy(part.begin(), part.end(), data(step.stack) + link.column);
  }
  return step.stack;
}

void FirstOrderWorkspace::addOutputChange(const InteractionStep& step, double factor, Vector SystemStep::*from,
                                          Vector SystemStep::*to, Vector& y) const {
  for (const Link& link : step.links) {
    const SystemStep& system = systems[link.system];
    for (std::size_t j = 0; j < system.x.size(); ++j) {
      const double change = factor * ((system.*to)(j) - (system.*from)(j));
      for (std::size_t i = 0; i < y.size(); ++i) y(i) += step.C(i, link.column + j) * change;
    }
  }
}

void FirstOrderWorkspace::addToSystems(const InteractionStep& step, double factor, const Vector& v,
                                       Vector SystemStep::*member) {
  for (const Link& link : step.links) {
    Vector& part = systems[link.system].*member;
    for (std::size_t i = 0; i < part.size(); ++i) part(i) += factor * v(link.column + i);
  }
}

void FirstOrderWorkspace::addInputTerms(InteractionStep& step) {
  const bool byState = step.relation->inputDependsOnState();
  for (const Link& link : step.links) {
    Vector& terms = systems[link.system].inputTerms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::size_t row = link.column + i;
      for (std::size_t j = 0; j < step.multiplier.size(); ++j)
        terms(i) += std::abs(step.B(row, j) * step.multiplier(j));
      if (!byState) continue;
      for (const Link& other : step.links) {
        const Vector& x = systems[other.system].x;
        for (std::size_t j = 0; j < x.size(); ++j) terms(i) += std::abs(step.K(row, other.column + j) * x(j));
      }
    }
  }
}

// In the one node that contains all its systems.
void FirstOrderWorkspace::subtractInputJacobian(const InteractionStep& step, double factor) {
  Matrix& W = nodeOf(step).W;
  for (const Link& row : step.links) {
    for (const Link& column : step.links) {
      const SystemStep& to = systems[row.system];
      const SystemStep& from = systems[column.system];
      for (std::size_t j = 0; j < from.x.size(); ++j) {
        for (std::size_t i = 0; i < to.x.size(); ++i) {
          W(to.offset + i, from.offset + j) -= factor * step.K(row.column + i, column.column + j);
        }
      }
    }
  }
}

void FirstOrderWorkspace::solve(Node& node, Vector SystemStep::*member) {
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

void FirstOrderWorkspace::addToNode(Node& node, const Matrix& A, const Vector& v, Vector SystemStep::*member) {
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
std::string describe(const FirstOrderWorkspace::InteractionStep& step, const char* what, double t) {
  return "Interaction '" + step.interaction->name() + "': " + what + " of " + std::string(step.relation->className()) +
         " at t = " + toText(t);
}

// A relation does not know its interaction, so errors are completed here.
template <class Function>
void naming(const FirstOrderWorkspace::InteractionStep& step, const char* what, double t, Function function) {
  try {
    function();
  } catch (const Error& error) {
    throw Error(describe(step, what, t), error.what());
  }
}

void require(const FirstOrderWorkspace::InteractionStep& step, const Vector& v, std::size_t size, const char* what,
             double t) {
  if (v.size() == size && allFinite(v)) return;
  const std::string name = describe(step, what, t);
  requireSize(v, size, name);
  requireFinite(v, name);
}

void require(const FirstOrderWorkspace::InteractionStep& step, const Matrix& a, std::size_t rows, std::size_t columns,
             const char* what, double t) {
  if (a.size1() == rows && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(step, what, t);
  requireSize(a, rows, columns, name);
  requireFinite(a, name);
}

}  // namespace

void FirstOrderWorkspace::computeOutput(InteractionStep& step, double t, const Vector& x, const Vector& lambda,
                                        Vector& y) {
  assignZero(y, step.multiplier.size());
  naming(step, "output h", t, [&] { step.relation->computeOutput(t, x, lambda, y); });
  require(step, y, step.multiplier.size(), "output h", t);
}

void FirstOrderWorkspace::computeInput(InteractionStep& step, double t, const Vector& x, const Vector& lambda) {
  assignZero(step.input, step.states);
  naming(step, "input g", t, [&] { step.relation->computeInput(t, x, lambda, step.input); });
  require(step, step.input, step.states, "input g", t);
}

void FirstOrderWorkspace::computeJacobians(InteractionStep& step, double t, const Vector& x, const Vector& lambda) {
  const std::size_t m = step.multiplier.size();
  assignZero(step.C, m, step.states);
  naming(step, "Jacobian C", t, [&] { step.relation->computeC(t, x, lambda, step.C); });
  require(step, step.C, m, step.states, "Jacobian C", t);
  assignZero(step.B, step.states, m);
  naming(step, "Jacobian B", t, [&] { step.relation->computeB(t, x, lambda, step.B); });
  require(step, step.B, step.states, m, "Jacobian B", t);
  if (step.relation->hasFeedthrough()) {
    assignZero(step.D, m, m);
    naming(step, "Jacobian D", t, [&] { step.relation->computeD(t, x, lambda, step.D); });
    require(step, step.D, m, m, "Jacobian D", t);
  }
  if (step.relation->inputDependsOnState()) {
    assignZero(step.K, step.states, step.states);
    naming(step, "Jacobian K", t, [&] { step.relation->computeK(t, x, lambda, step.K); });
    require(step, step.K, step.states, step.states, "Jacobian K", t);
  }
}

}  // namespace delassus
