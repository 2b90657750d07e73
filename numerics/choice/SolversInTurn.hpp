// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/methods/Trials.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus::numerics {

/// Solvers of the caller, tried in turn, each from the start of the solve, until the answer of one is certified to its
/// own tolerance. Otherwise the answer is the one of least error; a proof that there is no solution ends the search. A
/// solver that does not take the problem is not tried again until the matrix changes, but for the last one, whose
/// report says why.
///
///     SolversInTurn solvers(LemkeSolver{}, ProjectedGaussSeidelSolver{});
///
/// The report names the solver of the answer with its tolerance, and counts those that failed before it. The measure,
/// which is at first that of the first solver, and the observer, if there is one, are passed on. A time limit holds for
/// all together, beside the limits that they have each; the solver that has no time left ends with what it has, and no
/// other one is tried. Errors that a solver throws are passed on.
class SolversInTurn final : public Solver<ProblemOverSets> {
 public:
  /// With one solver or more.
  template <std::derived_from<SolverOverSets>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit SolversInTurn(Solvers... solvers) {
    (add(std::make_unique<Solvers>(std::move(solvers))), ...);
  }
  /// Throws Error if there is none, or one is null.
  explicit SolversInTurn(std::vector<std::unique_ptr<SolverOverSets>> solvers);

  /// Appends a solver. Throws Error if it is null.
  void add(std::unique_ptr<SolverOverSets> solver);

  std::string_view name() const override { return "SolversInTurn"; }
  double tolerance() const override { return solvers_.front().solver->tolerance(); }  ///< of the first one
  /// The solvers and their options, in order.
  Settings settings() const override;
  /// Saves or restores what the solvers remember.
  void serializeState(StateArchive& archive) override;

 private:
  struct Given {
    std::unique_ptr<SolverOverSets> solver;
    double timeLimit;         // its own, s
    bool isObserved = false;  // by the observer of all
  };

  Outcome compute(const ProblemOverSets& problem, Vector& unknown) override;

  std::vector<Given> solvers_;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
