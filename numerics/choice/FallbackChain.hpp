// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/Trials.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Several solvers behind one name: goes through the lines of a table, and stops at the first whose answer is
/// certified. If none is, the unknown is the answer with the smallest certified error, and the report has the status,
/// reason and iterations of the solver it came from; a proof that there is no solution ends the search as `infeasible`,
/// unless some answer has an error below Trials::leastOfProofs. A solver that throws Error or runs out of memory has
/// failed (but for parts of a problem, see ProblemOverSets::isPart), and the next one is tried. What the observer
/// throws ends the solve.
///
/// The measure, the observer and the rest of the time limit are passed on. The tolerance of the certificate is the
/// chain's own: give its solvers the same. The report names the solver of the answer. The chain itself allocates
/// nothing in repeated solves of one size that come to the same solvers.
///
/// TableSolver gives it the lines of a table; a line whose condition does not hold is passed over.
template <class Problem>
class FallbackChain : public Solver<Problem> {
 public:
  std::string_view name() const override { return name_; }  ///< as given to the constructor
  double tolerance() const override { return tolerance_; }  ///< of the chain's own certificate

  /// Saves or restores those of its solvers that were tried.
  void serializeState(StateArchive& archive) override;

 protected:
  /// A solver of the chain.
  using Member = std::unique_ptr<AnySolver<Problem>>;
  /// A solver with its name in the table.
  struct Made {
    std::string_view name;    ///< a literal
    Member solver;            ///< null where there is none
    bool isObserved = false;  ///< whether it has an observer of the chain
  };

  /// Where the solver of a line starts.
  enum class Start {
    given,  ///< from the start of the chain
    best    ///< from the best answer so far
  };

  /// `name` is a literal. Throws Error unless the tolerance is positive and finite.
  FallbackChain(std::string_view name, double tolerance);

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  /// Begins a solve: the number of lines for this problem.
  virtual std::size_t countLines(const Problem& problem) = 0;
  /// Whether the condition of a line holds.
  virtual bool isFor(std::size_t line, const Problem& problem) const = 0;
  virtual Start startOf(std::size_t line) const = 0;
  /// A name, a literal; lines of the same name have the same solver.
  virtual std::string_view solverOf(std::size_t line) const = 0;
  /// A new solver, that of the lines of this name, with the name as a literal; null if there are none.
  virtual Made make(std::string_view solver) const = 0;

  Outcome compute(const Problem& problem, Vector& unknown) override;
  Made* made(std::string_view solver);  // null if there are no such lines
  void passOn(std::size_t iteration, double residual);
  void attempt(std::string_view solver, const Problem& problem, SolveReport& report);

  std::string_view name_;
  double tolerance_;
  std::vector<Made> made_;
  bool observerFailed_ = false;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
