// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

/// Makes Newton's loop of a step converge where multipliers are not unique.
///
/// Multipliers of a body with more contact points than needed to hold it are not unique, and a solver finds some answer
/// to its tolerance ε. That determines velocities only to about √ε: in W p + q = u with u, p in a law that is monotone,
/// δpᵀ W δp ≤ ε ‖p‖. A solver that starts from its last answer gives another one in each pass, and a loop that compares
/// velocities never ends, whatever its iteration limit.
///
/// A loop whose residual falls is left alone. One that has stalled (it did not halve its residual in four passes) goes
/// on as follows, so that multipliers are a function of the linearisation, whose fixed point the loop then finds:
///
/// 1. multipliers that are a certified answer of the new linearised problem are kept: they are as good as any;
/// 2. otherwise the solver starts from the same point in each pass, zero at first; after another stall, from the
///    multipliers of that pass, and so on in turn.
///
/// Multipliers that were accepted at a relaxed tolerance are kept, whether the loop has stalled or not, as soon as
/// their error in the problem of a later pass is at most twice that of the answer, or a thousandth of the relaxed
/// tolerance.
///
/// There may be no fixed point: where a contact sticks in the directions of one pass and slides in those of the next,
/// the answer jumps, and passes alternate between two states of which each satisfies its own equations. A loop that has
/// stalled three times is taken for one of these (goesRound).
class NewtonGuard {
 public:
  /// Begins a loop.
  void begin();
  /// The one-step problem of a pass. Multipliers that are kept count as solved in zero iterations.
  numerics::SolveReport solve(OneStepNSProblem& problem, StepEquations& equations) {
    if (stalls_ > 0 || relaxed_ > 0.) return solveFromMultipliers(problem, equations);
    const numerics::SolveReport report = problem.solve(equations);
    remember(problem, report);
    return report;
  }
  /// Records a pass that has not converged: the tested number, taken from `residual`.
  void observe(double tested, const StepResidual& residual, StepEquations& equations);
  /// True once the loop has stalled: changes of the trial state are then searched along
  /// (OneStepIntegrator::searchChange).
  bool hasStalled() const { return stalls_ > 0; }
  /// True where the loop has stalled so often that further passes are not expected to help.
  bool goesRound() const { return stalls_ >= mostStalls; }
  /// Why the loop was stopped after this many passes, and what helps; one or two sentences.
  std::string describe(std::size_t passes, double tolerance) const;

 private:
  numerics::SolveReport solveFromMultipliers(OneStepNSProblem& problem, StepEquations& equations);
  void remember(const OneStepNSProblem& problem, const numerics::SolveReport& report);
  numerics::SolveReport solveStalled(OneStepNSProblem& problem, StepEquations& equations);
  void stall(StepEquations& equations);

  static constexpr std::size_t mostStalls = 3;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double relaxed_ = 0.;  // the error up to which multipliers are kept that were accepted at a relaxed tolerance
  std::size_t stalls_ = 0;
  std::size_t passesWithoutFall_ = 0;
  double best_ = infinity;      // since the last stall
  double smallest_ = infinity;  // of the loop
  double last_ = infinity;
  StepResidual residual_;               // of the last pass
  std::vector<double> start_, before_;  // multipliers
};

}  // namespace delassus
