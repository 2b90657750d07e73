// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

// Solvers that do what a test tells them, and a chain of three.

namespace delassus::numerics::test {

/// Gives z, after what it is told to do.
class Scripted final : public Solver<ProblemOverSets> {
 public:
  Scripted(double z, std::function<void()> act, SolveStatus status = SolveStatus::iterationLimit)
      : answer_([z, act = std::move(act)] {
          if (act) act();
          return z;
        }),
        status_(status) {}
  /// With another z in each solve.
  explicit Scripted(std::function<double()> answer) : answer_(std::move(answer)) {}
  std::string_view name() const override { return "Scripted"; }
  double tolerance() const override { return 1e-8; }

 private:
  Outcome compute(const ProblemOverSets&, Vector& z) override {
    observe(1, 1.);
    z(0) = answer_();
    return {status_, 7, "as told"};
  }

  std::function<double()> answer_;
  SolveStatus status_ = SolveStatus::iterationLimit;
};

/// Three solvers that stand ready; `made` counts those that were asked for.
class Chain final : public TableSolver<ProblemOverSets, Chain> {
 public:
  Chain() : TableSolver("Chain", 1e-8) {}
  void add(Member solver) { ready_.push_back(std::move(solver)); }
  mutable std::size_t made = 0;

  template <std::size_t number>
  static Member take(const Self& self) {
    ++self.made;
    return std::move(self.ready_[number]);
  }
  template <std::size_t number>
  static bool isThere(const Self& self, const Problem&) {
    return number < self.ready_.size();
  }
  static Tables tables() {
    static constexpr Line lines[] = {
        {"first", take<0>, isThere<0>}, {"second", take<1>, isThere<1>}, {"third", take<2>, isThere<2>}};
    static constexpr Table all[] = {lines};
    return all;
  }

 private:
  mutable std::vector<Member> ready_;
};

/// The solution is z = 1.
inline LinearComplementarityProblem problem() {
  return {identityMatrix(1), makeVector({-1.})};
}

}  // namespace delassus::numerics::test
