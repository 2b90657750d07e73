// SPDX-License-Identifier: Apache-2.0
//
// The part of SecondOrderWorkspace that gives interactions their blocks, left and right, and applies multipliers by
// them.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

namespace delassus {
namespace {

std::size_t velocitiesOf(DynamicalSystem& system) {
  const SecondOrderDS* const body = system.secondOrder();
  return body == nullptr ? system.firstOrder()->dimension() : body->dimension();
}

}  // namespace

StepEquations::Columns SecondOrderWorkspace::columnsOf(const Coupling& coupling, const Topology& topology) const {
  const SystemNodes::Place place = nodes.placeOf(coupling.system);
  const SystemWork& node = systems[place.node];
  std::size_t count = coupling.count;
  if (count == SystemPart::all) {
    count = nodes.isTied(place.node) ? velocitiesOf(*topology.systems()[coupling.system]) : node.v.size();
  }
  return {place.firstV + coupling.first, count, node.v.size(), node.interface.get()};
}

// A dense node has none, nor one that an interaction sees as a whole.
void SecondOrderWorkspace::findInterfaces(const Topology& topology) {
  if (std::none_of(systems.all().begin(), systems.all().end(), [](const auto& node) { return node.mass.isSparse(); })) {
    for (SystemWork& node : systems.all()) node.interface.reset();
    return;
  }
  std::vector<SeenUnknowns> seen(systems.size());
  for (const Coupling& coupling : topology.couplings()) {
    const std::size_t number = nodes.placeOf(coupling.system).node;
    const SystemWork& node = systems[number];
    if (!node.mass.isSparse()) continue;
    const StepEquations::Columns columns = columnsOf(coupling, topology);
    seen[number].add(columns.first, columns.count, columns.all);
  }
  for (SystemWork& node : systems.all()) setInterface(node, node.mass.isSparse(), seen[node.number]);
}

void SecondOrderWorkspace::addCouplings(const Topology& topology, InteractionWork& work) {
  work.blocksFrom.forget();  // right blocks have other places
  const std::size_t m = work.G.size1();
  const double* left = data(work.G);
  const double* input = work.flow ? data(work.input) : nullptr;
  const auto& couplings = topology.couplings();
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const SystemNodes::Place place = nodes.placeOf(couplings[c].system);
    const StepEquations::Columns columns = columnsOf(couplings[c], topology);
    equations.addPlacedCoupling(place.node, columns, left, input);
    if (columns.count < columns.all) systems[place.node].isSeenInParts = true;
    places.push_back(placeOf(couplings[c], topology));
    left += m * columns.count;
    if (input != nullptr) input += m * columns.count;
  }
}

SecondOrderWorkspace::Place SecondOrderWorkspace::placeOf(const Coupling& coupling, const Topology& topology) const {
  const SystemNodes::Place place = nodes.placeOf(coupling.system);
  const std::size_t firstQ = place.firstQ + coupling.first;
  const bool isWhole = coupling.count == SystemPart::all;
  if (!nodes.isTied(place.node)) {
    const SystemWork& node = systems[place.node];
    return {firstQ, isWhole ? node.q.size() : coupling.count, node.length};
  }
  const SecondOrderDS* const body = topology.systems()[coupling.system]->secondOrder();
  if (body == nullptr) return {place.firstQ, 0, 0.};
  return {firstQ, isWhole ? body->q().size() : coupling.count, body->length()};
}

void SecondOrderWorkspace::solveForRight(const InteractionWork& work) {
  delassus::solveForRight(
      equations, work.number,
      [this](const StepEquations::Coupling& coupling) -> const IterationNode& { return systems[coupling.node]; });
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
    StateSum state(work, work.*x);
    for (const std::uint32_t c : equations.couplingsAt(work.number)) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      if (!equations.isActive(coupling.interaction)) continue;
      const double* const multiplier = equations.multiplier(coupling.interaction);
      state.add(coupling, multiplier);
      coupling.addInput(multiplier, data(work.p));
      if (measures) addReach(coupling, multiplier, work);
    }
    state.finish();
    if (!measures) return;
    if (work.interface != nullptr) findReach(work);
    for (std::size_t i = 0; i < work.vChange.size(); ++i) work.vChange(i) = (work.*x)(i)-work.vChange(i);
  });
}

void SecondOrderWorkspace::addMagnitudes(const InteractionWork& work) const {
  static thread_local std::vector<double> response;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const StepEquations::Coupling& leading = equations.couplings()[c];
    Vector& reach = systems[leading.node].vReach;
    for (std::size_t j = 0; leading.right != nullptr && j < leading.rows; ++j) {
      const double* const column = leading.right + j * leading.unknowns;
      for (std::size_t i = 0; i < leading.unknowns; ++i) reach(i) += std::abs(column[i]);
    }
    const auto isOfNode = [&](std::size_t d) { return equations.couplings()[d].node == leading.node; };
    bool leads = leading.interface != nullptr;
    for (std::size_t d = work.begin; d < c; ++d) leads = leads && !isOfNode(d);
    if (!leads) continue;
    StepEquations::Coupling all = leading;
    all.place = 0;
    all.columns = leading.interface->unknowns().size();
    for (std::size_t j = 0; j < leading.rows; ++j) {
      response.assign(all.columns, 0.);
      for (std::size_t d = c; d < work.end; ++d) {
        if (isOfNode(d)) equations.couplings()[d].addResponse(all, j, response.data());
      }
      for (std::size_t i = 0; i < all.columns; ++i) reach(leading.interface->unknowns()[i]) += std::abs(response[i]);
    }
  }
}

void SecondOrderWorkspace::addReach(const StepEquations::Coupling& coupling, const double* multiplier,
                                    SystemWork& system) {
  const double* input = coupling.input;
  for (std::size_t i = 0; i < coupling.columns; ++i, input += coupling.rows) {
    for (std::size_t j = 0; j < coupling.rows; ++j) {
      system.pReach(coupling.first + i) += std::abs(input[j] * multiplier[j]);
    }
  }
  if (system.interface != nullptr) return;
  const double* right = coupling.right;
  for (std::size_t j = 0; right != nullptr && j < coupling.rows; ++j) {
    for (std::size_t i = 0; i < coupling.unknowns; ++i) system.vReach(i) += std::abs(*right++ * multiplier[j]);
  }
}

// vReach of a node with an interface, from pReach.
void SecondOrderWorkspace::findReach(SystemWork& node) {
  assign(node.pReach, node.vReach);
  node.factor.solve(node.vReach);
  for (double& reach : node.vReach) reach = std::abs(reach);
}

}  // namespace delassus
