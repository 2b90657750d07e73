// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/Sleep.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>

namespace delassus {

using SystemWork = SecondOrderWorkspace::SystemWork;
using InteractionWork = SecondOrderWorkspace::InteractionWork;

namespace {

// A joint holds, a contact pushes: one that acts across gaps is active wherever it is linked.
bool acts(const SecondOrderWorkspace& work, const InteractionWork& one) {
  if (!one.anyActive || !one.interaction->law().actsOnVelocities()) return one.anyActive;
  const double* const multiplier = work.equations.multiplier(one.number);
  return std::any_of(multiplier, multiplier + one.y.size(), [](double each) { return each != 0.; });
}

}  // namespace

Sleep::Sleep(const SleepOptions& options) : options_(options) {
  const auto isGood = [](double x) { return x > 0. && std::isfinite(x); };
  if (isGood(options.speed) && isGood(options.time)) return;
  throw Error("Sleep", "speed and time of rest must be positive and finite, got " + toText(options.speed) +
                           " m/s and " + toText(options.time) + " s.");
}

bool Sleep::bind(SecondOrderWorkspace& work) {
  const auto& couplings = work.equations.couplings();
  DisjointSets sets(groupOf_, work.systems.size());
  for (SystemWork& system : work.systems.all()) system.links = 0;
  for (const InteractionWork& one : work.interactions.all()) {
    for (std::size_t c = one.begin; c < one.end; ++c) {
      sets.join(couplings[one.begin].node, couplings[c].node);
      ++work.systems[couplings[c].node].links;
    }
  }
  groups_.assign(sets.number(), {.isAsleep = true});
  touched_.resize(work.systems.size());
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    const SystemWork& system = work.systems[i];
    Group& group = groups_[groupOf_[i]];
    group.isAsleep = group.isAsleep && system.isAsleep;
    group.wakes = group.wakes || (system.isAsleep && system.linksAsleep != system.links);
  }
  // Of systems that are tied together neither speed nor contact of one says anything of the others.
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    if (work.nodes.isTied(i)) groups_[groupOf_[i]].mayRest = false;
  }
  for (const InteractionWork& one : work.interactions.all()) {
    Group& group = groups_[groupOf_[systemOf(work, one)]];
    group.isAsleep = group.isAsleep && one.isAsleep;
    group.mayRest = group.mayRest && !one.timeDependent && !one.compliant;
  }
  // Of a group that grew together, the part that slept wakes.
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    Group& group = groups_[groupOf_[i]];
    group.wakes = group.wakes || (work.systems[i].isAsleep && !group.isAsleep);
  }
  const bool anyWoke = wakeGroups(work);
  choose(work);
  return anyWoke;
}

// Whether a force has changed.
bool Sleep::feels(SystemWork& work, double t) {
  work.system->forces(t, work.system->q(), work.system->velocity(), forces_);
  if (!work.knowsForces) assign(forces_, work.forcesAsleep);
  work.knowsForces = true;
  return !std::equal(forces_.begin(), forces_.end(), work.forcesAsleep.begin(), work.forcesAsleep.end());
}

bool Sleep::wake(SecondOrderWorkspace& work, double begin, double end) {
  if (anyFell_) choose(work);
  if (count_ == 0) return false;
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    SystemWork& system = work.systems[i];
    Group& group = groups_[groupOf_[i]];
    if (!system.isAsleep || group.wakes) continue;
    group.wakes = system.isReset() || system.hasChanged() || feels(system, begin) || feels(system, end);
  }
  for (const InteractionWork& one : work.interactions.all()) {
    if (one.isAsleep && work.isStale(one)) groups_[groupOf_[systemOf(work, one)]].wakes = true;
  }
  if (!wakeGroups(work)) return false;
  choose(work);
  return true;
}

bool Sleep::wakeGroups(SecondOrderWorkspace& work) {
  if (std::none_of(groups_.begin(), groups_.end(), [](const Group& group) { return group.wakes; })) return false;
  const auto wakes = [&](std::size_t system) { return groups_[groupOf_[system]].wakes; };
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    SystemWork& system = work.systems[i];
    if (!wakes(i)) continue;
    system.isAsleep = false;
    system.rest = 0.;
  }
  for (InteractionWork& one : work.interactions.all()) {
    if (wakes(systemOf(work, one))) one.isAsleep = false;
  }
  for (Group& group : groups_) {
    if (group.wakes) group.isAsleep = group.wakes = false;
  }
  return true;
}

// What loops over systems and interactions of the workspace see.
void Sleep::choose(SecondOrderWorkspace& work) {
  work.systems.choose([](const SystemWork& system) { return !system.isAsleep; });
  work.interactions.choose([](const InteractionWork& one) { return !one.isAsleep; });
  for (const InteractionWork& one : work.interactions.all()) {
    for (std::size_t block = 0; one.isAsleep && block < one.demanded.size(); ++block) {
      work.equations.setActive(one.number, block, false);
    }
  }
  count_ = 0;
  for (const SystemWork& system : work.systems.all()) count_ += system.isAsleep ? 1 : 0;
  anyFell_ = false;
}

double Sleep::speedSquared(const SystemWork& work) const {
  const std::size_t n = work.v.size();
  double largest = 0.;
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, work.mass.diagonal(j));
  const double energy = quadraticForm(work.mass, work.v);
  return largest > 0. ? energy / largest : 0.;
}

void Sleep::observe(SecondOrderWorkspace& work, double h) {
  std::fill(touched_.begin(), touched_.end(), 0);
  const auto& couplings = work.equations.couplings();
  for (const InteractionWork& one : work.interactions) {
    for (std::size_t c = one.begin; c < one.end && acts(work, one); ++c) touched_[couplings[c].node] = 1;
  }
  for (Group& group : groups_) group.rest = group.mayRest ? options_.time : 0.;
  const double limit = options_.speed * options_.speed;
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    SystemWork& system = work.systems[i];
    if (system.isAsleep) continue;
    const bool rests = touched_[i] != 0 && speedSquared(system) <= limit;
    system.rest = rests ? system.rest + h : 0.;
    Group& group = groups_[groupOf_[i]];
    group.rest = std::min(group.rest, system.rest);
  }
  const auto falls = [&](std::size_t system) {
    const Group& group = groups_[groupOf_[system]];
    return !group.isAsleep && group.rest >= options_.time;
  };
  for (InteractionWork& one : work.interactions) {
    if (!falls(systemOf(work, one))) continue;
    one.isAsleep = true;
    setZero(one.yDot);
  }
  for (std::size_t i = 0; i < work.systems.size(); ++i) {
    if (!falls(i)) continue;
    SystemWork& system = work.systems[i];
    anyFell_ = system.isAsleep = true;
    system.knowsForces = false;
    system.linksAsleep = system.links;
    setZero(system.v);
  }
  for (Group& group : groups_) group.isAsleep = group.isAsleep || group.rest >= options_.time;
}

}  // namespace delassus
