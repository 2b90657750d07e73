// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <vector>

namespace delassus {

/// The weight ϑ of the velocity at the end in the displacement of a step with impacts, δ = h (ϑ v⁺ + (1 − ϑ) v).
///
/// With the θ of the scheme a body that lands is up to (1 − θ) h u deep, for the velocity before the impact acts for a
/// part of the step after it. ϑ is the least weight in [θ, 1] with which no impact of an island makes its contact
/// deeper than it is,
///
///     y + h G(q*) (ϑ v⁺ + (1 − ϑ) v) ≥ min(y, 0);
///
/// ϑ = 1 always does, as G v⁺ ≥ 0. An island is what the problem of this step ties together: bodies that rest on each
/// other move as one, with one ϑ. (Whether a contact pushes is not asked: multipliers are not unique, motions are. But
/// a contact that is in the problem only for what others might have done counts if it does.) An impact is faster than
/// what forces give the island's contacts in the step before, and the contact itself in this one, so that rounding of a
/// pile at rest is none.
///
/// Where impacts make velocities jump, the rates of joints, whose rows are those of the middle of the step, do not fit
/// the configuration at the end, by the turn ϑφ/2 of half the displacement. With θ the next step would carry half of
/// these rates into the positions. It takes the weight (1 + ϑ)/(2 + ϑ) instead, and its joints fit all of its
/// displacement: for a steady turn φ the rates at its end then fit, too.
///
/// A potential energy changes by (ϑ − θ) h F·(v⁺ − v) beyond that of the scheme: for a mass on the ground by at most
/// half of m g h u (1 − e), less than the impact takes, m u² (1 − e²)/2, if u (1 + e) > g h.
class ImpactIslands {
 public:
  /// Sets SystemWork::weight and isJointed of all systems after multipliers were applied: to θ, or to ϑ of their island
  /// where that is larger or was so in an earlier pass of this step.
  void weigh(SecondOrderWorkspace& work, double h, double theta);
  /// Sets SystemWork::excess of all systems after a step that is accepted, in islands with an active contact of which
  /// `leavesRate(interaction)` says that the rates of a joint do not fit.
  template <class LeavesRate>
  void findExcess(SecondOrderWorkspace& work, double theta, const LeavesRate& leavesRate);

 private:
  using InteractionWork = SecondOrderWorkspace::InteractionWork;
  struct Island {
    double pull = 0.;    // m/s, the largest h a of its contacts
    double weight = 0.;  // ϑ
    bool isHit = false;
    bool isJointed = false;
  };

  static bool hasImpact(const SecondOrderWorkspace& work);
  static bool counts(const SecondOrderWorkspace& work, const InteractionWork& one, std::size_t block);
  static bool ties(const SecondOrderWorkspace& work, const InteractionWork& one);

  std::size_t rootOf(std::size_t system);
  std::size_t rootOf(const SecondOrderWorkspace& work, const InteractionWork& one) {
    return rootOf(work.equations.couplings()[one.begin].node);
  }
  void join(const SecondOrderWorkspace& work);
  void weighContacts(const SecondOrderWorkspace& work, const InteractionWork& one, double h, Island& island);

  std::vector<std::size_t> parents_;
  std::vector<Island> islands_;                // by their root
  std::vector<char> off_;                      // interactions, whose joints the rates do not fit
  std::vector<double> after_, before_, free_;  // rates, work space
};

template <class LeavesRate>
void ImpactIslands::findExcess(SecondOrderWorkspace& work, double theta, const LeavesRate& leavesRate) {
  using Role = SecondOrderWorkspace::Role;
  if (!work.anyEquality) return;
  bool mayJolt = false;
  for (SecondOrderWorkspace::SystemWork& system : work.systems) {
    mayJolt = mayJolt || system.excess > 0.;
    system.excess = 0.;
  }
  const auto hits = [&](const InteractionWork& one) { return one.role == Role::contact && ties(work, one); };
  mayJolt = mayJolt || std::any_of(work.interactions.begin(), work.interactions.end(), hits);
  if (!mayJolt) return;
  bool anyOff = false;
  off_.clear();
  for (const InteractionWork& one : work.interactions) {
    off_.push_back(one.role == Role::equality && leavesRate(one) ? 1 : 0);
    anyOff = anyOff || off_.back() != 0;
  }
  if (!anyOff) return;
  join(work);
  islands_.assign(parents_.size(), {});
  for (const InteractionWork& one : work.interactions) {
    Island& island = islands_[rootOf(work, one)];
    island.isHit = island.isHit || hits(one) || work.systemOf(one.begin).weight > theta;
  }
  for (const InteractionWork& one : work.interactions) {
    Island& island = islands_[rootOf(work, one)];
    island.isJointed = island.isJointed || (island.isHit && off_[one.number] != 0);
  }
  for (SecondOrderWorkspace::SystemWork& system : work.systems) {
    if (!islands_[rootOf(system.number)].isJointed) continue;
    system.excess = std::max((1. + system.weight) / (2. + system.weight) - theta, 0.);
    system.isJointed = true;
  }
}

}  // namespace delassus
