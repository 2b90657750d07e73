// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/Trials.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// The solvers of a one-step problem, tried in turn until the answer of one is certified, each from the same start. A
/// solver that does not accept the present matrix is not tried again until the matrix changes.
template <class Problem>
class SolverList {
 public:
  /// Base class of the solvers.
  using NumericsSolver = numerics::AnySolver<Problem>;
  /// Appends to a list the solvers that its problem has by default, with this tolerance.
  using Defaults = void (*)(SolverList& list, double tolerance);

  SolverList() = default;
  /// Solvers of the caller.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit SolverList(Solvers... solvers) { (add(std::move(solvers)), ...); }
  /// The default solvers, with numerics::defaultTolerance.
  explicit SolverList(Defaults defaults) : defaults_(defaults) { defaults_(*this, numerics::defaultTolerance); }

  /// Appends a solver; not null.
  template <std::derived_from<NumericsSolver> Solver>
  void add(Solver solver) {
    add(std::make_unique<Solver>(std::move(solver)));
  }
  /// Appends a solver that is kept already; not null.
  void add(std::unique_ptr<NumericsSolver> solver) {
    const double limit = solver->timeLimit();
    members_.push_back({std::move(solver), limit});
  }
  /// Appends the solver of that name in the catalogue of the problem class, with the tolerance of the first one. Throws
  /// Error, listing the names, if there is none.
  void add(std::string_view solverName);
  /// Makes the default solvers anew, with this tolerance, and those that were added by name. False, and nothing
  /// changes, where the first ones were given.
  bool setTolerance(double tolerance);

  /// Whether the first ones are the default solvers.
  bool hasDefaults() const { return defaults_ != nullptr; }
  /// The first solver, of which the tolerance and the measure are those of certificates.
  const NumericsSolver& first() const { return *members_.front().solver; }

  /// The report and the answer, into `unknown`, of the first solver from number `begin` on whose answer is certified,
  /// or of the one of least error. `start` stays. All together may take `timeLimit` seconds: the solver that has no
  /// time left ends with what it has, and no other one is tried.
  OneStepNSProblem::Attempt solve(const Problem& problem, std::size_t begin, const Vector& start, Vector& unknown,
                                  double timeLimit);

  /// The report on multipliers of this error, for which no solver was called.
  numerics::SolveReport reportOn(double error) const;

  /// The solvers and their options, in the order in which they are tried.
  void addSettings(Settings& settings) const;
  /// Saves or restores what the solvers remember.
  void serializeState(StateArchive& archive);

 private:
  struct Member {
    std::unique_ptr<NumericsSolver> solver;
    double timeLimit;           // its own, s
    std::uint64_t refused = 0;  // stamp of a matrix that it does not take
  };

  static constexpr double leastTime = 1e-9;  // s: a solver asks for a positive limit

  Defaults defaults_ = nullptr;
  std::vector<std::string> names_;  // of the members that were added by name
  std::vector<Member> members_;
  numerics::Trials trials_;
  bool wasLimited_ = false;  // the last solve: the solvers have limits that are not their own
};

}  // namespace delassus
