// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/Trials.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Several solvers behind one name: tries them in the order of a plan, and stops at the first whose answer is
/// certified. If none is, the unknown is the answer with the smallest certified error, and the report has the status,
/// reason and iterations of the solver it came from; a proof that there is no solution ends the search as `infeasible`,
/// unless some answer has an error below 10⁻⁶, which may be rounding. `infeasible` without a proof is reported as
/// `numericalFailure`, and so is a solver that throws Error or runs out of memory (but for parts of a problem, see
/// ProblemOverSets::isPart); the next one is tried. What the
/// observer throws ends the solve.
///
/// The measure, the observer and the rest of the time limit are passed on. The tolerance of the certificate is the
/// chain's own: give its solvers the same. The chain itself allocates nothing in repeated solves of one size that come
/// to the same solvers.
///
/// Derived classes give their solvers numbers, and say which of them to try (plan), how to make one (make, when it is
/// tried for the first time), and which give proofs (proves).
template <class Problem>
class FallbackChain : public Solver<Problem> {
 public:
  std::string_view name() const override { return name_; }  ///< as given to the constructor
  double tolerance() const override { return tolerance_; }  ///< of the chain's own certificate

  /// Saves or restores those of its solvers that were tried.
  void serializeState(StateArchive& archive) override;

  /// The solver whose answer the last solve gave; the chain's own name before the first solve or if no solver gave an
  /// answer.
  std::string_view lastSolver() const { return lastSolver_; }

 protected:
  /// A solver of the chain.
  using Member = std::unique_ptr<AnySolver<Problem>>;

  /// `name` is a literal. Throws Error unless the tolerance is positive and finite.
  FallbackChain(std::string_view name, double tolerance);

  /// The numbers of the solvers to try, in order, into `order` (empty at the call).
  virtual void plan(const Problem& problem, std::vector<std::size_t>& order) = 0;

  /// A new solver of this number; null if there is no such number. The chain keeps it.
  virtual Member make(std::size_t number) = 0;

  /// Where solver `number` starts: from `original`, the start of the chain (by default), or from `best`, the best
  /// answer so far.
  virtual const Vector& startFor(std::size_t number, const Vector& original, const Vector& best) const;

  /// Whether `infeasible`, said by solver `number`, proves that there is no solution; by default it does not.
  virtual bool proves(std::size_t number, const Problem& problem, const SolveReport& report);

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  struct Made {
    std::size_t number;
    Member solver;
    bool isObserved = false;
  };

  Outcome compute(const Problem& problem, Vector& unknown) override;
  Made* made(std::size_t number);  // null if there is no such number
  void passOn(std::size_t iteration, double residual);
  void attempt(std::size_t number, const Problem& problem, SolveReport& report);

  std::string_view name_;
  double tolerance_;
  std::vector<Made> made_;
  bool observerFailed_ = false;
  std::vector<std::size_t> order_;
  std::string_view lastSolver_;
  Vector start_;
  Trials trials_;
};

}  // namespace delassus::numerics
