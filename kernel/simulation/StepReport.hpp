// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/SolveReport.hpp>

namespace delassus {

/// The effect of a projection on constraints in a step (see ConstraintProjection).
struct ProjectionReport {
  std::size_t iterations = 0;   ///< Newton's, on positions; of all passes
  double violationBefore = 0.;  ///< largest violation of a constraint that is projected: after the velocity problem …
  double violation = 0.;        ///< … and after the projection, in units of the outputs
  std::size_t activations = 0;  ///< contacts that a combined projection made active
  std::size_t repeatedSteps = 0;  ///< passes of the velocity problem after the first
};

/// What a failure policy is asked about.
enum class Failure {
  none,        ///< nothing has failed, though a further solver may have been needed (solve.failedSolvers > 0)
  solve,       ///< the answer of the one-step problem is not certified
  uniqueness,  ///< the one-step problem has not exactly one solution (TimeSteppingOptions::requireUniqueSolution)
  newtonLoop,  ///< Newton's loop has not converged, or only with relations that stay (StepStatistics::held)
  projection   ///< constraints are violated after the projection on them
};

/// What the last step did, or has done so far. The policy of an event-driven simulation is shown an impact: `failure`,
/// `problemSize` and `solve`.
struct StepReport {
  Failure failure = Failure::none;  ///< the last one
  std::size_t newtonIterations =
      0;                        ///< passes of the loop (of its last repetition, with projections); 1 where one is exact
  double newtonResidual = 0.;   ///< relative; 0 if one pass is exact
  bool newtonConverged = true;  ///< false if the loop ended with a residual above the tolerance
  std::size_t repetitions = 0;  ///< times that the step was made again, as its motion had closed contacts unseen
  bool unique = true;           ///< false if requireUniqueSolution found a problem that is not
  std::size_t problemSize = 0;  ///< scalar rows of the one-step problem
  numerics::SolveReport solve;  ///< of the last solve
  ProjectionReport projection;  ///< zeros without one
};

}  // namespace delassus
