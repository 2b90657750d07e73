// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <vector>

namespace delassus::test {

/// Options of Friction2DEnumerationSolver.
struct Friction2DEnumerationOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-10, range::positive, "error that an answer must meet"),
                   (std::size_t, maxContacts, 8, range::fromTo(0., 12.),
                    "larger problems are refused: the work is up to 4^n solves"))
};

/// Tries all 4ⁿ combinations of open, sticking and sliding either way in dimension 2 until one gives a certified
/// answer: the reference for tests. A singular combination gets its least-squares solution of least norm. If none fits,
/// the report says `infeasible` if each misses by more than rounding explains at its condition, and `inaccurate` if one
/// does not, or is singular, since its other solutions are not tried. Allocates.
class Friction2DEnumerationSolver final
    : public WithOptions<numerics::Solver<numerics::FrictionContactProblem>, Friction2DEnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit Friction2DEnumerationSolver(Friction2DEnumerationOptions options = {});

  std::string_view name() const override { return "Friction2DEnumerationSolver"; }

 private:
  Outcome compute(const numerics::FrictionContactProblem& problem, Vector& r) override;
  void solveCombination(const numerics::FrictionContactProblem& problem, std::size_t combination, Vector& r);
  bool excludesSolution(const numerics::FrictionContactProblem& problem, const Vector& r, double error) const;

  LUFactorization factor_;
  Matrix W_, system_;
  Vector right_;
  bool isRegular_ = false;  // the last combination
};

}  // namespace delassus::test
