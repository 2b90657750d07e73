// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {

void FirstOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  if (!topology.elements().empty()) {
    throw Error("Force element '" + topology.elements().front()->name() + "'",
                "it ties systems of first order to mechanical ones, and " + std::string(scheme) +
                    " takes no mechanical ones; put them into the group of a scheme of mechanics.");
  }
  bindSystems(topology, t, scheme);
  bindInteractions(topology, scheme);
  findNodes();
  findInterfaces();
  makeEquations(scheme);
}

void FirstOrderWorkspace::bindSystems(const Topology& topology, double t, std::string_view scheme) {
  systems = std::vector<SystemWork>(topology.systems().size());
  linear = true;
  anyAlgebraic = false;
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
    work.system->mass(t, work.system->x(), work.mass);
    if (!work.system->hasConstantMass()) work.system->requireRegularMass(t, work.mass);
    work.massFrom.take(work.system->parameterChanges());
    work.inputFrom.take(0);  // that of a state which nobody has set
    work.linear = work.system->isLinear();
    work.timeInvariant = work.system->isTimeInvariant();
    work.autonomous = work.system->isAutonomous();
    work.isAlgebraic = work.system->hasAlgebraicPart();
    anyAlgebraic = anyAlgebraic || work.isAlgebraic;
    linear = linear && work.linear;
    work.x = work.xPlace = work.xMass = work.xFreePlace = work.system->x();
    for (Vector* v : {&work.r, &work.xDot, &work.f, &work.fBefore, &work.residual, &work.xFree, &work.inputTerms,
                      &work.terms, &work.termsBefore, &work.xLast, &work.scales, &work.change, &work.algebraic}) {
      assignZero(*v, n);
    }
    for (SquareMatrix* m : {&work.byX, &work.byRate, &work.byRateBefore}) {
      if (work.system->isSparse()) {
        *m = SquareMatrix::zeros(work.mass);
      } else {
        m->makeDense(n);
      }
    }
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
      const Coupling& coupling = topology.couplings()[c];
      const bool isWhole = coupling.count == SystemPart::all;
      const std::size_t count = isWhole ? systems[coupling.system].x.size() : coupling.count;
      work.links.push_back({coupling.system, coupling.first, count, work.states});
      work.states += count;
    }
    work.begin = topology.couplingBegin(k);
    work.linear = work.relation->isLinear();
    work.linearFrom.take(0);  // what was set after the relation was made may not fit
    linear = linear && work.linear;
    for (Vector* v : {&work.y, &work.freeOutput, &work.noMultiplier, &work.yLinear}) assignZero(*v, m);
    work.multiplier = interaction.lambda(0);
    assignZero(work.input, work.states);
    assignZero(work.stack, work.states);
    for (Matrix* matrix : {&work.C, &work.left, &work.inputs}) assignZero(*matrix, m, work.states);
    assignZero(work.D, m, m);
    assignZero(work.B, work.states, m);
    if (work.relation->inputDependsOnState()) assignZero(work.K, work.states, work.states);
  }
}

// Joins the systems that a relation with K ≠ 0 links.
void FirstOrderWorkspace::findNodes() {
  std::vector<std::size_t> nodeOfSystem;
  DisjointSets sets(nodeOfSystem, systems.size());
  for (const InteractionWork& work : interactions) {
    if (!work.relation->inputDependsOnState()) continue;
    for (const Link& link : work.links) sets.join(link.system, work.links.front().system);
  }
  nodes = std::vector<Node>(sets.number());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    Node& node = nodes[nodeOfSystem[i]];
    systems[i].node = nodeOfSystem[i];
    systems[i].offset = node.size;
    node.systems.push_back(i);
    node.size += systems[i].x.size();
    node.isSparse = node.isSparse || systems[i].system->isSparse();
  }
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    if (interactions[k].relation->inputDependsOnState()) nodeOf(interactions[k]).ties.push_back(k);
  }
  for (Node& node : nodes) {
    if (!node.isSparse) node.W.makeDense(node.size);
    assignZero(node.stack, node.size);
  }
}

void FirstOrderWorkspace::findInterfaces() {
  std::vector<SeenUnknowns> seen(nodes.size());
  for (const InteractionWork& work : interactions) {
    for (const Link& link : work.links) {
      const SystemWork& system = systems[link.system];
      if (!nodes[system.node].isSparse) continue;
      seen[system.node].add(system.offset + link.first, link.count, nodes[system.node].size);
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) setInterface(nodes[i], nodes[i].isSparse, seen[i]);
}

// All blocks of the laws between first-order systems act.
void FirstOrderWorkspace::makeEquations(std::string_view scheme) {
  equations.clear(scheme);
  for (InteractionWork& work : interactions) {
    equations.addInteraction(work.interaction->size(), work.interaction->blocks());
    addCouplings(work);
  }
  equations.finish();
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    for (std::size_t block = 0; block < equations.blocks(k); ++block) equations.setActive(k, block, true);
    setFeedthrough(k);
  }
}

void FirstOrderWorkspace::addCouplings(const InteractionWork& work) {
  const std::size_t m = work.interaction->size();
  for (const Link& link : work.links) {
    const SystemWork& system = systems[link.system];
    const Node& node = nodes[system.node];
    equations.addPlacedCoupling(system.node, {system.offset + link.first, link.count, node.size, node.interface.get()},
                                data(work.left) + m * link.column, data(work.inputs) + m * link.column);
  }
}

void FirstOrderWorkspace::setFeedthrough(std::size_t interaction) {
  const InteractionWork& work = interactions[interaction];
  equations.setFeedthrough(interaction, work.relation->hasFeedthrough() ? &work.D : nullptr);
}

std::vector<IterationMatrix> FirstOrderWorkspace::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const Node& node : nodes) {
    all.push_back({{}, toDense(node.W)});
    for (const std::size_t system : node.systems) all.back().systems.push_back(systems[system].system);
  }
  return all;
}

void FirstOrderWorkspace::serializeState(StateArchive& archive) {
  archive.value("linear", linear);
  archive.value("anyAlgebraic", anyAlgebraic);
  for (SystemWork& work : systems) {
    archive.value("linear", work.linear);
    archive.value("timeInvariant", work.timeInvariant);
    archive.value("autonomous", work.autonomous);
    archive.value("isAlgebraic", work.isAlgebraic);
    work.inputFrom.serializeState(archive, "inputFrom");
    work.massFrom.serializeState(archive, "massFrom");
    for (Vector* const v :
         {&work.x, &work.r, &work.xPlace, &work.xMass, &work.xDot, &work.f, &work.fBefore, &work.residual,
          &work.inputTerms, &work.terms, &work.termsBefore, &work.xLast, &work.xFree, &work.xFreePlace}) {
      archive.value("vector", *v);
    }
    archive.value("inputScale", work.inputScale);
    for (SquareMatrix* const a : {&work.mass, &work.byX, &work.byRate, &work.byRateBefore}) a->serializeState(archive);
  }
  for (Node& node : nodes) {
    archive.value("factored", node.factored);
    node.serializeState(archive);
    if (node.interface != nullptr) node.interface->serializeState(archive);
  }
  for (InteractionWork& work : interactions) {
    archive.value("linear", work.linear);
    work.linearFrom.serializeState(archive, "linearFrom");
    work.blocksFrom.serializeState(archive, "blocksFrom");
    for (Vector* const v :
         {&work.y, &work.freeOutput, &work.multiplier, &work.noMultiplier, &work.yLinear, &work.input}) {
      archive.value("vector", *v);
    }
    for (Matrix* const a : {&work.C, &work.D, &work.B, &work.K}) archive.value("matrix", *a);
    for (Matrix* const a : {&work.left, &work.inputs}) archive.values("block", data(*a), a->data().size());
  }
  equations.serializeState(archive);
}

bool FirstOrderWorkspace::isTimeInvariant(const Node& node) const {
  return node.ties.empty() && std::all_of(node.systems.begin(), node.systems.end(),
                                          [this](std::size_t i) { return systems[i].timeInvariant; });
}

const Vector& FirstOrderWorkspace::stacked(InteractionWork& work, Vector SystemWork::*member) const {
  const Vector& first = systems[work.links.front().system].*member;
  if (work.links.size() == 1 && first.size() == work.states) return first;
  for (const Link& link : work.links) {
    std::copy_n(data(systems[link.system].*member) + link.first, link.count, data(work.stack) + link.column);
  }
  return work.stack;
}

void FirstOrderWorkspace::addOutputChange(const InteractionWork& work, double factor, Vector SystemWork::*from,
                                          Vector SystemWork::*to, Vector& y) const {
  for (const Link& link : work.links) {
    const SystemWork& system = systems[link.system];
    for (std::size_t j = 0; j < link.count; ++j) {
      const double change = factor * ((system.*to)(link.first + j) - (system.*from)(link.first + j));
      for (std::size_t i = 0; i < y.size(); ++i) y(i) += work.C(i, link.column + j) * change;
    }
  }
}

void FirstOrderWorkspace::addToSystems(const InteractionWork& work, const Vector& v, Vector SystemWork::*member) {
  for (const Link& link : work.links) {
    Vector& part = systems[link.system].*member;
    for (std::size_t i = 0; i < link.count; ++i) part(link.first + i) += v(link.column + i);
  }
}

void FirstOrderWorkspace::filterInput(Node& node, bool isFiltered) {
  node.inputFilter = nullptr;
  if (!isFiltered) return;
  std::vector<Triplet> entries;
  for (const std::size_t i : node.systems) {
    const SparseMatrix& D = systems[i].system->algebraicPart();
    const std::size_t offset = systems[i].offset;
    for (std::size_t j = 0; j < D.size2(); ++j) {
      for (std::size_t k = columnStart(D, j); k < columnStart(D, j + 1); ++k) {
        entries.push_back({offset + rowOf(D, k), offset + j, valueOf(D, k)});
      }
    }
  }
  node.algebraicPart = sparseFromTriplets(node.size, node.size, std::move(entries));
  node.inputFilter = &node.algebraicPart;
}

void FirstOrderWorkspace::addInputTerms(InteractionWork& work) {
  const bool byState = work.relation->inputDependsOnState();
  for (const Link& link : work.links) {
    Vector& terms = systems[link.system].inputTerms;
    for (std::size_t i = 0; i < link.count; ++i) {
      double& sum = terms(link.first + i);
      const std::size_t row = link.column + i;
      for (std::size_t j = 0; j < work.multiplier.size(); ++j) sum += std::abs(work.B(row, j) * work.multiplier(j));
      if (!byState) continue;
      for (const Link& other : work.links) {
        const double* const x = data(systems[other.system].x) + other.first;
        for (std::size_t j = 0; j < other.count; ++j) sum += std::abs(work.K(row, other.column + j) * x[j]);
      }
    }
  }
}

void FirstOrderWorkspace::addInputEntry(Node& node, std::size_t row, std::size_t column, double value) {
  if (node.inputFilter == nullptr) return addEntry(node, row, column, value);
  const SparseMatrix& D = *node.inputFilter;
  for (std::size_t k = columnStart(D, row); k < columnStart(D, row + 1); ++k) {
    addEntry(node, rowOf(D, k), column, valueOf(D, k) * value);
  }
}

void FirstOrderWorkspace::addTies(Node& node, double place) {
  for (const std::size_t k : node.ties) {
    const InteractionWork& work = interactions[k];
    for (const Link& row : work.links) {
      const SystemWork& to = systems[row.system];
      for (const Link& column : work.links) {
        const std::size_t firstRow = to.offset + row.first;
        const std::size_t firstColumn = systems[column.system].offset + column.first;
        for (std::size_t j = 0; j < column.count; ++j) {
          for (std::size_t i = 0; i < row.count; ++i) {
            addInputEntry(node, firstRow + i, firstColumn + j,
                          -to.inputScale * place * work.K(row.column + i, column.column + j));
          }
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

void FirstOrderWorkspace::addMultipliers(std::size_t number, Vector SystemWork::*member) {
  Node& node = nodes[number];
  const bool isSingle = node.systems.size() == 1;
  if (!isSingle) setZero(node.stack);
  StateSum sum(node, isSingle ? systems[node.systems.front()].*member : node.stack);
  for (const std::uint32_t c : equations.couplingsAt(number)) {
    const StepEquations::Coupling& coupling = equations.couplings()[c];
    sum.add(coupling, equations.multiplier(coupling.interaction));
  }
  sum.finish();
  if (isSingle) return;
  for (const std::size_t i : node.systems) {
    Vector& part = systems[i].*member;
    for (std::size_t k = 0; k < part.size(); ++k) part(k) += node.stack(systems[i].offset + k);
  }
}

void FirstOrderWorkspace::makeBlocks(InteractionWork& work, double place) {
  const std::size_t m = work.multiplier.size();
  for (const Link& link : work.links) {
    const double scale = systems[link.system].inputScale;
    for (std::size_t j = link.column; j < link.column + link.count; ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        work.left(i, j) = place * work.C(i, j);
        work.inputs(i, j) = scale * work.B(j, i);
      }
    }
  }
  solveForRight(
      equations, equations.couplings()[work.begin].interaction,
      [this](const StepEquations::Coupling& coupling) -> const IterationNode& { return nodes[coupling.node]; });
}

}  // namespace delassus
