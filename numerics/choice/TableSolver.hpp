// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <delassus/numerics/choice/FallbackChain.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace delassus::numerics {

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
  using Problem = ProblemClass;  ///< for lines
  using Self = SelfClass;        ///< for lines
  /// A line of a table.
  struct Line {
    std::string_view solver;      ///< lines of the same name, which have the same `make`, share one
    Member (*make)(const Self&);  ///< when it is tried for the first time
    bool (*when)(const Self&, const Problem&) = nullptr;  ///< null: always
    Start start = Start::given;                           ///< of each solve
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
