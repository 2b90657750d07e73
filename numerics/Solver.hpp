// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace delassus::numerics {

/// Which error measure certifies an answer; each problem class documents both beside its error function.
enum class ErrorMeasure {
  scaled,    ///< the library's own: does not change with the units of the problem
  published  ///< the measure used by published results of other programs
};

/// Called once in each iteration with the method's own residual, for plots and progress.
using IterationObserver = std::function<void(std::size_t iteration, double residual)>;

class ProblemOverSets;
class VariationalInequality;

/// The class whose certificate a problem class has: ProblemOverSets or VariationalInequality for those that derive from
/// them, else itself.
template <class Problem>
using RootOf = std::conditional_t<
    std::is_base_of_v<ProblemOverSets, Problem>, ProblemOverSets,
    std::conditional_t<std::is_base_of_v<VariationalInequality, Problem>, VariationalInequality, Problem>>;

/// What all solvers do that take a Problem: they solve, then certify. Methods derive from Solver.
template <class Problem>
class CertifiedSolver {
 public:
  virtual ~CertifiedSolver() = default;

  /// For reports and messages, a literal: the name of its class.
  virtual std::string_view name() const = 0;

  /// Solves, then certifies: the report's error is the error measure of the answer, computed by code that no method
  /// shares, and its status is `converged` if and only if that is at most the solver's tolerance.
  ///
  /// `unknown` is the start where the method can use one, and the answer; empty, it starts from zero. `dual` follows
  /// from it. Throws Error if `unknown` has another size than the problem, or the problem or `unknown` is not finite.
  /// If the method did not converge, `unknown` holds the best answer that it found. Throws Interrupted where a request
  /// to stop became overdue (see StopRequest).
  SolveReport solve(const Problem& problem, Vector& unknown, Vector& dual);

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what makes the next solve start where the last one ended: remembered active sets, successful
  /// step sizes, which of several methods is tried first.
  virtual void serializeState(StateArchive&) {}

  /// The bound with which the certificate is compared.
  virtual double tolerance() const = 0;

  /// Wall time after which a solve stops with what it has, in seconds; infinity (the default) for none. Methods read
  /// the clock once in each iteration. Throws Error unless positive.
  void setTimeLimit(double seconds);
  double timeLimit() const { return timeLimit_; }  ///< s; infinity for none

  /// How many times the tolerance the error of an answer may be for the caller to be content, where none was certified
  /// by methods that cost little: chains then leave out those that cost much (TableSolver::Cost). 1 by default, for
  /// which they try all. The answer is not `converged` for that. Throws Error unless at least 1.
  void setLeniency(double factor);
  double leniency() const { return leniency_; }  ///< as set; 1 at first

  /// Makes iterative methods call `observer` in each iteration; an empty one ends this.
  void setObserver(IterationObserver observer) { observer_ = std::move(observer); }
  const IterationObserver& observer() const { return observer_; }  ///< empty if there is none

  /// Sets the error measure of the certificate; `scaled` by default.
  void setMeasure(ErrorMeasure measure) { measure_ = measure; }
  ErrorMeasure measure() const { return measure_; }  ///< of the certificate

 protected:
  /// A method's own verdict: `converged` if it stopped by its own criterion.
  struct Outcome {
    SolveStatus status = SolveStatus::numericalFailure;  ///< for the report, unless the certificate decides
    std::size_t iterations = 0;                          ///< as the method counts
    std::string_view reason = {};                        ///< one clause (a literal), or empty
    std::string_view solver = {};                        ///< for the report, if another solver gave the answer
    double tolerance = 0.;                               ///< for the report, if that has another one; otherwise 0
    std::size_t failedSolvers = 0;                       ///< for the report
  };

  CertifiedSolver() = default;
  CertifiedSolver(const CertifiedSolver&) = default;
  CertifiedSolver(CertifiedSolver&&) = default;
  CertifiedSolver& operator=(const CertifiedSolver&) = default;
  CertifiedSolver& operator=(CertifiedSolver&&) = default;

  /// The certificate itself, for methods that stop by it.
  double certifiedError(const Problem& problem, const Vector& unknown);
  /// What it was the last time.
  double lastCertifiedError() const { return lastError_; }

  /// An error of which it is not worth much to make it smaller: a hundredth of that with which the caller is content.
  double goodEnough() const { return 0.01 * leniency_ * tolerance(); }

  /// For methods that end with errorOf(problem, measure(), unknown, dual, …) of exactly the `unknown` that they return,
  /// by tolerance() or a smaller one: its value and dual are then not computed again, which saves half of the time of a
  /// small problem. `dual` must stay until compute() has returned.
  void adoptCertificate(double error, const Vector& dual) {
    certificate_ = error;
    certifiedDual_ = &dual;
  }

  /// The same for what certifiedError() gave last, where that was of exactly the `unknown` that is returned.
  void adoptCertificate() { adoptCertificate(lastError_, dual_); }

  /// True once the time limit of this solve has passed, or a request to stop is overdue; methods check it once in each
  /// iteration.
  bool timeIsUp() const {
    return (hasDeadline_ && std::chrono::steady_clock::now() >= deadline_) || StopRequest::isOverdue();
  }
  /// The same for problems of which each process has a part, which end together (ProblemOverSets::sum).
  bool timeIsUp(const Problem& problem) const {
    if constexpr (requires(std::span<double> one) { problem.sum(one); }) {
      if (!hasDeadline_) return timeIsUp();
      double count = timeIsUp() ? 1. : 0.;
      problem.sum({&count, 1});
      return count > 0.;
    } else {
      return timeIsUp();
    }
  }
  /// The rest of the time limit, in seconds; infinity without one. For methods that call others.
  double remainingTime() const;
  /// Calls the observer, if any, with the number of an iteration and the method's own residual.
  void observe(std::size_t iteration, double residual) const {
    if (observer_) observer_(iteration, residual);
  }

 private:
  /// `unknown` has the size of the problem and holds the start; only it is to be set.
  virtual Outcome run(const Problem& problem, Vector& unknown) = 0;

  void startClock();

  MadeFrom<std::uint64_t> validated_;  // the matrix of that stamp
  double timeLimit_ = std::numeric_limits<double>::infinity();
  double leniency_ = 1.;
  std::chrono::steady_clock::time_point deadline_;
  bool hasDeadline_ = false;
  ErrorMeasure measure_ = ErrorMeasure::scaled;
  IterationObserver observer_;
  Vector dual_;  // of certifiedError()
  double lastError_ = 0.;
  double certificate_ = 0.;
  const Vector* certifiedDual_ = nullptr;  // if the certificate is adopted
};

/// A method for one problem class, with the workspace that it reuses: after a first solve of some size, further solves
/// of that size do not allocate unless a solver says otherwise. Every problem class has two vectors to find: the
/// unknown (z, a reaction) and its dual (w, a velocity), which follows from it.
///
///     LemkeSolver solver;
///     Vector z, w;
///     SolveReport report = solver.solve(problem, z, w);
///     if (!report.converged()) std::cerr << report.summary() << '\n';
///
/// A Problem has size(), stamp() (of its matrix), validate(), validateVectors(), and a free function
/// errorOf(problem, measure, unknown, dual, tolerance) that computes the dual and gives the error measure, which is at
/// most `tolerance` only if it is so in exact arithmetic (see certified()).
///
/// A method for a class of problems over sets takes all problems over sets: one of another class is stated in the
/// method's own, sharing W, with the certificate that it came with; where its sets do not fit the class, the solve ends
/// as `unsupported`. So contacts of a mechanism without joints can be given to a method for friction contact problems,
/// and these to a method for any sets.
template <class Problem>
class Solver : public CertifiedSolver<RootOf<Problem>> {
 public:
  using CertifiedSolver<RootOf<Problem>>::solve;  ///< of any problem that can be stated in this class
  /// The same, so that a problem can be given as its list of data.
  SolveReport solve(const Problem& problem, Vector& unknown,
                    Vector& dual) requires(!std::is_same_v<Problem, RootOf<Problem>>) {
    return CertifiedSolver<RootOf<Problem>>::solve(problem, unknown, dual);
  }

 protected:
  /// That of CertifiedSolver.
  using Outcome = typename CertifiedSolver<RootOf<Problem>>::Outcome;

 private:
  static constexpr bool statesProblems = !std::is_same_v<Problem, RootOf<Problem>>;
  // A problem of another class in this one, made where there is one. Copies of the solver make their own.
  struct Stated {
    std::unique_ptr<Problem> problem;
    Stated() = default;
    Stated(const Stated&) {}
    Stated(Stated&&) noexcept = default;
    Stated& operator=(const Stated&) { return *this; }
    Stated& operator=(Stated&&) noexcept = default;
    ~Stated() = default;
  };

  /// `unknown` has the size of the problem and holds the start; only it is to be set.
  virtual Outcome compute(const Problem& problem, Vector& unknown) = 0;
  Outcome run(const RootOf<Problem>& problem, Vector& unknown) final;

  Stated stated_;
};

/// By which the solvers are kept that take a Problem, whatever class they are methods for.
template <class Problem>
using AnySolver = CertifiedSolver<RootOf<Problem>>;

/// The settings of a solver with what all solvers have.
template <class Problem>
Settings settingsOf(const CertifiedSolver<Problem>& solver) {
  Settings settings;
  settings.add("tolerance", solver.tolerance());
  if (solver.timeLimit() < std::numeric_limits<double>::infinity()) settings.add("timeLimit", solver.timeLimit());
  settings.add("measure", solver.measure() == ErrorMeasure::scaled ? "scaled" : "published");
  const Settings options = solver.settings();
  for (const Setting& setting : options.list()) {
    if (setting.name != "tolerance") settings.add(setting.name, setting.value);
  }
  return settings;
}

}  // namespace delassus::numerics
