// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus {

/// Sums over the steps of any simulation; zero where they do not apply.
struct RunCounts {
  std::size_t newtonIterations = 0;  ///< time stepping: passes of Newton's loop, one a step where that is exact
  std::size_t solves = 0;            ///< of one-step problems that were not empty; event-driven: of impacts
  std::size_t solverIterations = 0;  ///< of the solvers whose answers were taken
  // Failures and their outcomes.
  std::size_t fallbacks = 0;      ///< solves that a further solver of the chain certified
  std::size_t relaxed = 0;        ///< solves and Newton loops accepted at a relaxed tolerance
  std::size_t divided = 0;        ///< steps made in pieces, in which loops settle
  std::size_t keptDepths = 0;     ///< steps made again without taking back depths of contacts
  std::size_t held = 0;           ///< steps whose relations stayed, or asked for rest alone
  std::size_t accepted = 0;       ///< steps accepted without certificate
  std::size_t rejectedSteps = 0;  ///< steps that ended with an Error
  double worstError = 0.;         ///< largest error of an accepted solve
  double worstResidual = 0.;      ///< largest Newton residual of an accepted step
  // Of event-driven simulations.
  std::size_t integrationSteps = 0;  ///< of the smooth motion
  std::size_t evaluations = 0;       ///< of the motion, those to locate events included
  std::size_t events = 0;            ///< entries of the event log
  std::size_t impacts = 0;           ///< those of them that are impacts
};

}  // namespace delassus
