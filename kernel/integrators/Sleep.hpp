// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// When groups of bodies fall asleep.
struct SleepOptions {
  double speed = 1e-3;  ///< bodies are at rest below (vᵀMv / max M_ii)^½: m/s of a rigid body, whose spin counts, too
  double time = 0.5;    ///< s of rest before a group falls asleep
};

/// Groups of bodies at rest, of which no step computes anything until they wake. A group is what interactions link; it
/// falls asleep when each of its bodies was at rest for a time, in contact, and loses its velocities then, ½ m speed² a
/// body at most. Its multipliers stay, those of its last step.
///
/// It wakes, before the step is computed, when one of its interactions is removed or one is linked to it (by a body
/// that comes near), when the user sets a state or a parameter of its systems or relations, and when a force on one of
/// its bodies is no longer the one that it fell asleep under. A group in which a relation depends on time, or is
/// compliant, does not sleep.
class Sleep {
 public:
  /// Throws Error unless both options are positive and finite.
  explicit Sleep(const SleepOptions& options);

  /// As given to the constructor.
  const SleepOptions& options() const { return options_; }
  /// Systems that sleep.
  std::size_t count() const { return count_; }

  /// Finds the groups of a workspace that was just bound, which keeps asleep what has not changed. True if a group
  /// woke.
  bool bind(SecondOrderWorkspace& work);
  /// Before a step, after SecondOrderWorkspace::takeChanges: wakes the groups for which there is a reason, forces at
  /// its begin and end among them. True if there were any.
  bool wake(SecondOrderWorkspace& work, double begin, double end);
  /// After a step of size h, before its state is accepted: counts rest, and lets groups fall asleep.
  void observe(SecondOrderWorkspace& work, double h);

 private:
  struct Group {
    bool mayRest = true;  // no relation keeps it awake
    bool isAsleep = false;
    bool wakes = false;
    double rest = 0.;  // s, of the body that rests least
  };

  bool wakeGroups(SecondOrderWorkspace& work);
  void choose(SecondOrderWorkspace& work);
  bool feels(SecondOrderWorkspace::SystemWork& work, double t);
  double speedSquared(const SecondOrderWorkspace::SystemWork& work) const;
  static std::size_t systemOf(const SecondOrderWorkspace& work, const SecondOrderWorkspace::InteractionWork& one) {
    return work.equations.couplings()[one.begin].node;
  }

  SleepOptions options_;
  std::size_t count_ = 0;
  std::vector<std::size_t> groupOf_;  // system
  std::vector<Group> groups_;
  std::vector<char> touched_;  // systems with an active interaction
  bool anyFell_ = false;       // asleep in the last step, whose loops still went over them
  Vector forces_;
};

}  // namespace delassus
