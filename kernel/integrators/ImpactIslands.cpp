// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/ImpactIslands.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {

std::size_t ImpactIslands::rootOf(std::size_t system) {
  while (parents_[system] != system) system = parents_[system] = parents_[parents_[system]];
  return system;
}

bool ImpactIslands::counts(const SecondOrderWorkspace& work, const InteractionWork& one, std::size_t block) {
  if (!work.equations.isActive(one.number, block)) return false;
  return one.expected[block] == 0 || work.equations.multiplier(one.number)[block * one.blockRows] > 0.;
}

bool ImpactIslands::ties(const SecondOrderWorkspace& work, const InteractionWork& one) {
  for (std::size_t block = 0; one.anyActive && block < one.expected.size(); ++block) {
    if (counts(work, one, block)) return true;
  }
  return false;
}

void ImpactIslands::join(const SecondOrderWorkspace& work) {
  parents_.resize(work.systems.size());
  for (std::size_t i = 0; i < parents_.size(); ++i) parents_[i] = i;
  for (const InteractionWork& one : work.interactions) {
    if (!ties(work, one)) continue;
    const std::size_t root = rootOf(work, one);
    for (std::size_t c = one.begin + 1; c < one.end; ++c) {
      const std::size_t other = rootOf(work.equations.couplings()[c].node);
      parents_[std::max(root, other)] = std::min(root, other);
    }
  }
}

bool ImpactIslands::hasImpact(const SecondOrderWorkspace& work) {
  return std::any_of(work.interactions.begin(), work.interactions.end(), [](const auto& one) { return one.impacts; });
}

void ImpactIslands::weigh(SecondOrderWorkspace& work, double h, double theta) {
  if (!hasImpact(work)) return;
  join(work);
  islands_.assign(parents_.size(), {});
  for (const InteractionWork& one : work.interactions) {
    if (!ties(work, one)) continue;
    Island& island = islands_[rootOf(work, one)];
    island.isJointed = island.isJointed || one.role == SecondOrderWorkspace::Role::equality;
    for (std::size_t block = 0; block < one.reach.size(); ++block) {
      if (counts(work, one, block)) island.pull = std::max(island.pull, h * one.reach[block]);
    }
  }
  for (const InteractionWork& one : work.interactions) {
    if (one.impacts) weighContacts(work, one, h, islands_[rootOf(work, one)]);
  }
  for (SecondOrderWorkspace::SystemWork& system : work.systems) {
    const Island& island = islands_[rootOf(system.number)];
    system.weight = std::clamp(island.weight, std::max(theta, system.weight), 1.);
    system.isJointed = island.isJointed;
  }
}

void ImpactIslands::weighContacts(const SecondOrderWorkspace& work, const InteractionWork& one, double h,
                                  Island& island) {
  after_.assign(one.y.size(), 0.);
  free_.assign(one.y.size(), 0.);
  before_.assign(one.y.size(), 0.);
  for (std::size_t c = one.begin; c < one.end; ++c) {
    const StepEquations::Coupling& coupling = work.equations.couplings()[c];
    coupling.addOutput(data(work.systemOf(c).v), after_.data());
    coupling.addOutput(data(work.systemOf(c).vFree), free_.data());
    coupling.addOutput(data(work.systemOf(c).system->velocity()), before_.data());
  }
  const Vector& gaps = one.interaction->output(0);
  const Vector& rates = one.interaction->output(1);
  const std::size_t rows = one.interaction->law().size();
  for (std::size_t block = 0; block < one.reach.size(); ++block) {
    const std::size_t row = block * rows;
    if (!work.equations.isActive(one.number, block)) continue;
    const double jump = after_[row] - before_[row];
    // The forecast knows the forces of the step before: of a body that has just been hit there were none, and what a
    // solver left of the rate of a contact at rest would count as an impact.
    const double pull = std::max(island.pull, std::abs(free_[row] - before_[row]));
    if (!(-rates(row) > pull) || !(jump > 0.)) continue;
    island.weight = std::max(island.weight, (-rates(row) - std::max(gaps(row), 0.) / h) / jump);
  }
}

}  // namespace delassus
