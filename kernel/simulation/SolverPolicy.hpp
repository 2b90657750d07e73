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
  /// Names of further solvers of the problem class (`delassus-solve --list`), tried in this order if the answers of the
  /// problem's own solvers are not certified.
  std::vector<std::string> fallback;
  /// Answers whose error is at most this times the solver's tolerance are accepted, with a warning; 1: none.
  double relaxation = 1.;
  /// The same for the residual of Newton's loop and its tolerance.
  double newtonRelaxation = 1.;
  /// What to do with the remaining failures (of TimeStepping; event-driven simulations throw).
  FailureAction otherwise = FailureAction::raise;

  /// Folder for problems that failed, created if necessary; empty: none are saved.
  std::filesystem::path folder;
  std::size_t mostFiles = 100;  ///< that are saved
  bool saveRecovered = false;   ///< also problems that a further solver certified
  bool fclib = true;            ///< problems of friction as FCLIB (HDF5); as text otherwise

  std::size_t mostWarnings = 100;  ///< in the log; what comes after has level debug
};

/// Counts of a policy.
struct SolverPolicyCounts {
  std::size_t recovered = 0;  ///< solves that a further solver certified
  std::size_t relaxed = 0;    ///< solves, and Newton loops, accepted at a relaxed tolerance
  std::size_t failed = 0;     ///< those that were not
  std::size_t saved = 0;      ///< files

  /// One sentence.
  std::string summary() const;
};

/// What to do if a one-step problem is not solved to tolerance or Newton's loop does not converge:
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
/// `otherwise`. Each problem without a certified answer is saved as `LCP-step000512-t0.512.dat`, to the bit:
/// delassus-solve reads it and has the same problem. (It starts from zero, the simulation from the multipliers of the
/// last step.)
///
/// In event-driven simulations this concerns the problems of impacts; the choice of modes is exact and has no
/// tolerance. A policy may be attached to several simulations, which share its counts and limits; it lives as long as
/// they do. A checkpoint contains its counts (over all its simulations), and may be restored with another policy or
/// none.
class SolverPolicy {
 public:
  /// Throws Error if a factor is below 1 or not finite.
  explicit SolverPolicy(const SolverPolicyOptions& options);

  /// Throws Error, listing the names, if a solver of `fallback` does not exist for the problem class, or the folder
  /// cannot be created. Replaces the failure policy of the simulation.
  ///@{
  void attach(TimeStepping& simulation) const;
  void attach(EventDriven& simulation) const;
  ///@}

  /// The counts over all simulations that the policy is attached to.
  const SolverPolicyCounts& counts() const;
  /// Files of the saved problems, in order.
  const std::vector<std::filesystem::path>& files() const;

 private:
  struct State;

  void prepare(Simulation& simulation, OneStepNSProblem& problem) const;

  std::shared_ptr<State> state_;
};

}  // namespace delassus
