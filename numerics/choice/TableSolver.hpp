// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <delassus/numerics/Pause.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/Trials.hpp>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
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
/// Where the best answer is good enough for the caller (CertifiedSolver::goodEnough), a solver that has failed in three
/// such solves in a row is left out of the next one, after another failure of the next three, then of 7, … 63.
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
    Pause pause{2};           ///< of solves in which the best answer before is good enough for the caller
  };

  /// Where the solver of a line starts.
  enum class Start {
    given,  ///< from the start of the chain
    best    ///< from the best answer so far
  };

  /// What a line costs, for callers that are content with less than the tolerance (CertifiedSolver::setLeniency).
  enum class Cost {
    low,   ///< is always tried
    high,  ///< is left out where the best answer has at most a hundredth of the error with which the caller is content
    extreme  ///< is left out where the caller is content
  };

  /// `name` is a literal. Throws Error unless the tolerance is positive and finite.
  FallbackChain(std::string_view name, double tolerance);

  /// Which lines are left out by their cost where the caller is content with less than the tolerance.
  enum class Thrift {
    none,      ///< none: of problems that are so small that no line costs much
    extremes,  ///< those of extreme cost, where the best answer has at most a hundredth of the error that is allowed
    full       ///< as Cost says, as at first
  };
  /// In this solve and the next ones.
  void leaveOut(Thrift thrift) { thrift_ = thrift; }

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  /// Begins a solve: the number of lines for this problem.
  virtual std::size_t countLines(const Problem& problem) = 0;
  /// Whether the condition of a line holds.
  virtual bool isFor(std::size_t line, const Problem& problem) const = 0;
  virtual Start startOf(std::size_t line) const = 0;
  virtual Cost costOf(std::size_t line) const = 0;
  /// A name, a literal; lines of the same name have the same solver.
  virtual std::string_view solverOf(std::size_t line) const = 0;
  /// A new solver, that of the lines of this name, with the name as a literal; null if there are none.
  virtual Made make(std::string_view solver) const = 0;

  Outcome compute(const Problem& problem, Vector& unknown) override;
  bool isGoodFor(Cost cost, double error) const;
  bool isGoodEnough(double error) const;
  bool pauses(std::string_view solver, const SolveReport& best);
  Made* found(std::string_view solver);  // null if it was not made yet
  Made* made(std::string_view solver);   // null if there are no such lines
  void passOn(std::size_t iteration, double residual);
  void attempt(std::string_view solver, const Problem& problem, const SolveReport& best, SolveReport& report);

  std::string_view name_;
  double tolerance_;
  std::vector<Made> made_;
  bool observerFailed_ = false;
  Thrift thrift_ = Thrift::full;
  Vector start_;
  Trials trials_;
};

/// A chain whose lines are a table that is written down: a solver, when to try it, and where it starts. `SelfClass` is
/// the class that derives from this one; its static function `tables()` gives the table, or several, of which
/// tableFor() says the one for a problem. Conditions look at the problem and at members of the class:
///
///     class Choice final : public TableSolver<ProblemOverSets, Choice> {
///      public:
///       explicit Choice(double tolerance) : TableSolver("Choice", tolerance) {}
///       static Tables tables();
///     };
///
///     Choice::Tables Choice::tables() {
///       static constexpr Line lines[] = {
///           {"pivoting", makePivoting, [](const Self&, const Problem& p) { return p.size() < 100; }},
///           {"sweeps", makeSweeps, nullptr, Start::best}};
///       static constexpr Table all[] = {lines};
///       return all;
///     }
template <class ProblemClass, class SelfClass>
class TableSolver : public FallbackChain<ProblemClass> {
 public:
  using typename FallbackChain<ProblemClass>::Member;
  using typename FallbackChain<ProblemClass>::Start;
  using typename FallbackChain<ProblemClass>::Cost;
  using Problem = ProblemClass;  ///< for lines
  using Self = SelfClass;        ///< for lines
  /// A line of a table.
  struct Line {
    std::string_view solver;      ///< lines of the same name, which have the same `make`, share one
    Member (*make)(const Self&);  ///< when it is tried for the first time
    bool (*when)(const Self&, const Problem&) = nullptr;  ///< null: always
    Start start = Start::given;                           ///< of each solve
    Cost cost = Cost::low;                                ///< of a solve
  };
  using Table = std::span<const Line>;    ///< lines in the order in which they are tried
  using Tables = std::span<const Table>;  ///< of static lines

 protected:
  using typename FallbackChain<ProblemClass>::Made;
  using FallbackChain<ProblemClass>::FallbackChain;

  /// Begins a solve: looks at the problem, before all conditions, and gives its table; by default the first one.
  virtual Table tableFor(const Problem&) { return Self::tables().front(); }

 private:
  std::size_t countLines(const Problem& problem) final { return (table_ = tableFor(problem)).size(); }
  bool isFor(std::size_t line, const Problem& problem) const final {
    const auto when = table_[line].when;
    return when == nullptr || when(static_cast<const Self&>(*this), problem);
  }
  Start startOf(std::size_t line) const final { return table_[line].start; }
  Cost costOf(std::size_t line) const final { return table_[line].cost; }
  std::string_view solverOf(std::size_t line) const final { return table_[line].solver; }
  Made make(std::string_view solver) const final {
    const Line* found = nullptr;
    for (const Table& table : Self::tables()) {
      for (const Line& line : table) {
        if (line.solver != solver) continue;
        assert(found == nullptr || found->make == line.make);
        if (found == nullptr) found = &line;
      }
    }
    return found != nullptr ? Made{found->solver, found->make(static_cast<const Self&>(*this))} : Made{};
  }

  Table table_;  // of the present problem
};

}  // namespace delassus::numerics
