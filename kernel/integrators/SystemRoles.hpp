// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

// What a scheme keeps of a node (SecondOrderWorkspace::SystemWork), by what it is for. Each saves or restores what a
// bind, or the beginning of a step, does not make anew.

/// The state that a step tries.
struct TrialState {
  Vector q;             ///< configuration
  Vector v;             ///< velocity
  Vector p;             ///< input Σ Gᵀ λ, with λ as the problem has it
  Vector qStar;         ///< configuration at which mass and Jacobians are taken
  Vector displacement;  ///< along velocities, by which q was or will be moved

  /// Saves or restores it.
  void serializeState(StateArchive& archive);
};

/// The discrete equations at the trial state. Their unknown is the velocity, or the displacement of SchatzmanPaoliOSI.
struct NodeEquations {
  SquareMatrix mass;         ///< M, where the scheme takes it
  Vector forcesBefore;       ///< F at the beginning of the step
  Vector forces;             ///< F at the trial state (SchatzmanPaoliOSI: at t + θh, between the states)
  Vector residual;           ///< without p
  Vector vFree;              ///< the unknown without multipliers
  Vector vChange;            ///< last change of the unknown
  Vector acceleration;       ///< v̇, of event-driven simulations
  bool spinsFreely = false;  ///< in this step gyroscopic forces are those of a motion without impulses

  /// Saves or restores it.
  void serializeState(StateArchive& archive);
};

/// Magnitudes against which changes and sums are measured.
struct NodeMagnitudes {
  double length = 0.;          ///< SecondOrderDS::length
  double pull = -1.;           ///< |M⁻¹F| in the norm of diag M, by which forces move it; < 0: not known
  double speed = 0.;           ///< |v| in this norm, at the beginning of a step in which contacts are expected
  std::vector<double> pulls;   ///< its square, unknown by unknown, where interactions see parts of the node
  bool isSeenInParts = false;  ///< an interaction sees some of its unknowns, but not all
  Vector pReach;               ///< Σ |Gᵀλ|, component by component; empty until it is measured, as the next
  Vector vReach;               ///< Σ |W⁻¹Gᵀλ|, component by component

  /// Saves or restores it.
  void serializeState(StateArchive& archive);
};

/// How much v⁺ counts in the displacement of a step (see ImpactIslands).
struct DisplacementWeight {
  double weight = 0.;      ///< of v⁺
  double excess = 0.;      ///< of the weight over θ, to begin the next step with
  bool isJointed = false;  ///< a joint is in its island, where the weight is above θ

  /// Saves or restores it.
  void serializeState(StateArchive& archive);
};

/// What Sleep keeps of a node.
struct SleepState {
  bool isAsleep = false;        ///< no step computes anything of it
  bool knowsForces = false;     ///< forcesAsleep holds
  double rest = 0.;             ///< s, since it last moved or lost contact
  std::size_t links = 0;        ///< couplings
  std::size_t linksAsleep = 0;  ///< couplings, when it fell asleep
  Vector forcesAsleep;          ///< F that it sleeps under

  /// Saves or restores it.
  void serializeState(StateArchive& archive);
};

}  // namespace delassus
