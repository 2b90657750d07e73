// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

void SecondOrderWorkspace::bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme) {
  const Topology& topology = model.topology();
  couplings = topology.couplings();
  bindSystems(topology, t, scheme);
  interactions = std::vector<InteractionStep>(topology.interactions().size());
  anyCompliant = false;
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    InteractionStep& step = interactions[k];
    step.interaction = topology.interactions()[k].get();
    step.relation = step.interaction->relation().secondOrder();
    if (step.relation == nullptr) {
      throw Error("Interaction '" + step.interaction->name() + "'",
                  std::string(scheme) + " does not take the relation " +
                      std::string(step.interaction->relation().className()) + ".");
    }
    step.begin = topology.couplingBegin(k);
    step.end = topology.couplingEnd(k);
    bindInteraction(step);
    anyCompliant = anyCompliant || step.compliant;
  }
}

void SecondOrderWorkspace::bindSystems(const Topology& topology, double t, std::string_view scheme) {
  systems = std::vector<SystemStep>(topology.systems().size());
  linearSystems = true;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    DynamicalSystem& system = *topology.systems()[i];
    SystemStep& step = systems[i];
    step.system = system.secondOrder();
    if (step.system == nullptr) {
      throw Error(std::string(scheme), "system '" + system.name() + "' (" + std::string(system.className()) +
                                           ") is not a mechanical one, and this scheme takes no other.");
    }
    step.system->checkMass(t);
    const std::size_t n = step.system->dimension();
    step.linear = step.system->isLinear();
    linearSystems = linearSystems && step.linear;
    step.q = step.qStar = step.system->q();
    step.v = step.system->velocity();
    for (Vector* v :
         {&step.p, &step.displacement, &step.forcesBefore, &step.forces, &step.residual, &step.vFree, &step.vChange}) {
      *v = Vector(n);
    }
    for (Matrix* m : {&step.mass, &step.byQ, &step.byV, &step.W}) *m = Matrix(n, n);
  }
}

void SecondOrderWorkspace::bindInteraction(InteractionStep& step) const {
  const std::size_t m = step.interaction->size();
  std::size_t configurations = 0;
  std::size_t velocities = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    configurations += systems[couplings[c].system].q.size();
    velocities += systems[couplings[c].system].v.size();
  }
  step.compliant = step.relation->isCompliant();
  step.stack.data().reserve(std::max(configurations, velocities));
  step.G = Matrix(m, velocities);
  step.compliance = Matrix(m, m);
  for (Vector* v : {&step.y, &step.yDot, &step.freeOutput, &step.multiplier, &step.force}) *v = Vector(m);
  step.active.assign(step.interaction->blocks(), 0);
}

const Vector& SecondOrderWorkspace::stacked(InteractionStep& step, const Vector SystemStep::*member) const {
  if (step.end - step.begin == 1) return systems[couplings[step.begin].system].*member;
  auto& all = step.stack.data();
  all.clear();
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const auto& part = (systems[couplings[c].system].*member).data();
    all.insert(all.end(), part.begin(), part.end());
  }
  // The storage is filled; this only tells the vector its size.
  step.stack.resize(all.size(), false);
  return step.stack;
}

void SecondOrderWorkspace::refuseOutputs(const InteractionStep& step, double t) {
  const std::size_t m = step.interaction->size();
  const std::string label = "Interaction '" + step.interaction->name() + "': output of " +
                            std::string(step.relation->className()) + " at t = " + std::to_string(t);
  requireSize(step.y, m, label);
  requireFinite(step.y, label);
  requireSize(step.yDot, m, label + ", first derivative");
  requireFinite(step.yDot, label + ", first derivative");
}

}  // namespace delassus
