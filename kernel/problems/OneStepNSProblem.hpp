// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/kernel/diagnostics/PhaseClock.hpp>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace delassus {

/// The nonsmooth problem that closes a step: it finds the multipliers of the active blocks.
class OneStepNSProblem {
 public:
  virtual ~OneStepNSProblem() = default;

  /// "LCP"; for messages and files of problems.
  virtual std::string_view name() const = 0;
  /// The same for settings, which do not change in a run: ProblemByLaws has several names.
  virtual std::string_view className() const { return name(); }

  /// Reads the present structure of the model, and that of the integrator (which must be bound before). Throws Error
  /// naming an interaction whose law this problem does not accept, and the laws it accepts.
  virtual void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) = 0;

  /// Assembles and solves, starting from the integrator's multipliers, and writes the answer there, whatever the report
  /// says. An empty index set is solved at once. Throws Interrupted where a request to stop is overdue.
  numerics::SolveReport solve(StepEquations& equations) { return take(attempt(equations)); }

  /// Solves as solve() does, but counts nothing and does not ask the judge.
  virtual numerics::SolveReport attempt(StepEquations& equations) = 0;

  /// Assembles, and says how good the integrator's multipliers are as they are; they stay. `converged` where the
  /// certificate passes them; `unsupported`, as by default, where it cannot be told. Counts nothing.
  virtual numerics::SolveReport certify(StepEquations& equations);

  /// Makes the answer of an attempt that of the step: counts it, and asks the judge about one that is not certified by
  /// the first solver. The report of solve().
  numerics::SolveReport take(const numerics::SolveReport& report) {
    StopRequest::throwIfOverdue();
    relaxed_ = false;
    if (report.converged() && report.failedSolvers > 0) ++fallbacks_;
    count(report);
    return report.converged() && report.failedSolvers == 0 ? report : askJudge(report);
  }

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what makes the next solve start where the last one ended.
  virtual void serializeState(StateArchive&) {}

  /// Number of scalar rows of the last problem.
  virtual std::size_t size() const = 0;
  /// Why the last problem has not exactly one solution whatever its free outputs are, naming rows of interactions;
  /// empty if it has. Computed again only if the matrix has changed. Throws Error if this cannot be decided.
  virtual std::string whyNotUnique() = 0;
  /// Names of the interactions in the last problem, for messages.
  virtual std::string activeNames() const = 0;

  /// Appends the solver of that name in the catalogue of the problem class, to be tried if the answers of those before
  /// it are not certified; its tolerance is that of the first solver. Throws Error, listing the names, if there is no
  /// solver of this name.
  virtual void addSolver(std::string_view solverName);

  /// Makes the solvers that the problem has by default anew, with this tolerance (and those that addSolver appended).
  /// Throws Error where solvers were given, whose tolerance is among their options, or unless it is positive and
  /// finite.
  virtual void setTolerance(double tolerance);

  /// Writes the last problem to a file that reads back to the same numbers, to the bit (delassus-solve opens it):
  /// friction as FCLIB (HDF5) if the ending is .hdf5, everything else as text. Throws Error if it cannot be written.
  virtual void saveProblem(const std::filesystem::path& path) const;

  /// True if the judge accepted the last answer at a tolerance above that of the solver.
  bool relaxed() const { return relaxed_; }
  /// Over all solves of nonempty problems: their number, the iterations of the solvers whose answers were taken, and
  /// the largest error of those that count as solved.
  ///@{
  std::size_t solves() const { return solves_; }
  std::size_t solverIterations() const { return solverIterations_; }
  double worstError() const { return worstError_; }
  ///@}
  /// Over all solves: those certified by a further solver, and those accepted at a relaxed tolerance.
  ///@{
  std::size_t fallbacks() const { return fallbacks_; }
  std::size_t relaxations() const { return relaxations_; }
  ///@}

  /// For simulations, which ask their failure policies: decides about a solve in which the first solver did not give a
  /// certified answer; `report` belongs to the best answer, certified by another solver or not. It returns the largest
  /// error that counts as solved (the answer then has the status `converged` with this tolerance), or 0. It may throw.
  using Judge = std::function<double(const numerics::SolveReport& report)>;
  /// Calls `judge` after each such solve; an empty one ends this.
  void setJudge(Judge judge) { judge_ = std::move(judge); }

  /// Wall time that the next solves may take each, in seconds; infinity, as at first, for no limit. The answer is then
  /// the best so far, reported as `timeLimit`. Solvers that have a time limit of their own keep to it, too.
  void setTimeLimit(double seconds) { timeLimit_ = seconds; }

  /// The largest error that counts as solved at a relaxed tolerance, whatever the factor.
  static constexpr double largestRelaxed = 0.01;
  /// With this share of what would be accepted, the search for a better answer may end.
  static constexpr double shareOfRelaxation = 0.1;
  /// For simulations, whose judges accept answers at a relaxed tolerance: those whose error is at most `factor` times
  /// the tolerance, and largestRelaxed. The next solves end with an answer of shareOfRelaxation of that where only
  /// methods that cost much could better it (numerics::CertifiedSolver::setLeniency). 1, as at first, for none.
  void setRelaxation(double factor) { relaxation_ = factor; }
  double relaxation() const { return relaxation_; }  ///< as set
  /// How many times `tolerance`, which is that of a solver, its error may then be.
  double leniency(double tolerance) const {
    return std::max(1., shareOfRelaxation * std::min(relaxation_, largestRelaxed / tolerance));
  }

  /// For simulations: saves or restores the counts.
  void serializeCounts(StateArchive& archive);

  /// For simulations: measures the phases of solve() with `clock`; null ends this.
  void setClock(PhaseClock* clock) { clock_ = clock; }

 protected:
  /// For derived classes, in attempt().
  void enter(Phase phase) {
    if (clock_ != nullptr) clock_->enter(phase);
  }
  /// See setTimeLimit.
  double timeLimit() const { return timeLimit_; }
  /// For problems that leave their work to others.
  PhaseClock* clock() const { return clock_; }

  OneStepNSProblem() = default;
  OneStepNSProblem(const OneStepNSProblem&) = default;
  OneStepNSProblem(OneStepNSProblem&&) = default;
  OneStepNSProblem& operator=(const OneStepNSProblem&) = default;
  OneStepNSProblem& operator=(OneStepNSProblem&&) = default;

 private:
  numerics::SolveReport askJudge(const numerics::SolveReport& report);
  void count(const numerics::SolveReport& report) {
    if (size() == 0) return;
    ++solves_;
    solverIterations_ += report.iterations;
    if (report.converged()) worstError_ = std::max(worstError_, report.error);
  }

  Judge judge_;
  PhaseClock* clock_ = nullptr;
  double timeLimit_ = std::numeric_limits<double>::infinity();
  double relaxation_ = 1.;
  bool relaxed_ = false;
  std::size_t solves_ = 0;
  std::size_t solverIterations_ = 0;
  double worstError_ = 0.;
  std::size_t fallbacks_ = 0;
  std::size_t relaxations_ = 0;
};

}  // namespace delassus
