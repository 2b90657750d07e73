// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// Options of SolverPolicy.
struct SolverPolicyOptions {
  /// Names of further solvers of the problem class (`delassus-solve --list`), tried in this order where those that the
  /// problem was made with are not certified.
  std::vector<std::string> fallback;
  /// Answers whose error is at most this times the solver's tolerance are accepted, with a warning; 1: none.
  double relaxation = 1.;
  /// Likewise of the residual of Newton's loop and its tolerance.
  double newtonRelaxation = 1.;
  /// What becomes of the failures that are left (of TimeStepping; events raise).
  FailureAction otherwise = FailureAction::raise;

  /// Where problems that failed are saved; empty: nowhere. The folder is made.
  std::filesystem::path folder;
  std::size_t mostFiles = 100;  ///< that are saved
  bool saveRecovered = false;   ///< also problems that a further solver certified
  bool fclib = true;            ///< problems of friction as FCLIB (HDF5); as text otherwise

  std::size_t mostWarnings = 100;  ///< in the log; what comes after has level debug
};

/// What a policy has seen.
struct SolverPolicyCounts {
  std::size_t recovered = 0;  ///< solves that a further solver certified
  std::size_t relaxed = 0;    ///< solves, and Newton loops, accepted at a relaxed tolerance
  std::size_t failed = 0;     ///< those that were not
  std::size_t saved = 0;      ///< files

  /// One sentence.
  std::string summary() const;
};

/// What to do where a one-step problem is not solved to tolerance or Newton's loop does not converge:
///
///     SolverPolicyOptions options;
///     options.fallback = {"nsgs", "admm"};
///     options.relaxation = 100.;
///     options.folder = "failed";
///     SolverPolicy policy(options);
///     policy.attach(simulation);
///
/// In this order: the solvers of the problem, one after the other; those of `fallback`; the best answer of all, if its
/// error is at most relaxation × tolerance, with a warning in the Log that names time, step, solver and error; then
/// `otherwise`. Each problem that is not certified is saved as `LCP-step000512-t0.512.dat`, to the bit: delassus-solve
/// reads it and has the same problem. (It starts from zero, the simulation from the multipliers of the last step.)
///
/// Event-driven simulations: of impacts. The choice of modes is exact, and without tolerance. A policy may be attached
/// to several simulations, which share its counts and limits; it lives as long as they do. A checkpoint has its counts
/// (those of all its simulations), and may be restored with another policy, or none.
class SolverPolicy {
 public:
  /// Throws Error if a factor is below 1 or not finite.
  explicit SolverPolicy(const SolverPolicyOptions& options);

  /// Throws Error, listing the names, if a solver of `fallback` is none of the problem class, or the folder cannot be
  /// made. Takes the place of the problem's failure handler, and of the failure policy of time stepping.
  ///@{
  void attach(TimeStepping& simulation) const;
  void attach(EventDriven& simulation) const;
  ///@}

  /// Of all simulations that it is attached to.
  const SolverPolicyCounts& counts() const;
  /// Of the problems that were saved, in their order.
  const std::vector<std::filesystem::path>& files() const;

 private:
  struct State;

  void attachToProblem(Simulation& simulation, OneStepNSProblem& problem) const;

  std::shared_ptr<State> state_;
};

}  // namespace delassus
