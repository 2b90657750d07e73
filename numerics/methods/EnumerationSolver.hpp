// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>

namespace delassus::numerics {

/// Options of EnumerationSolver.
struct EnumerationOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-10, range::positive, "error that a basis must meet"),
                   (std::size_t, maxSize, 20, range::fromTo(0., 30.),
                    "problems with more than 2^maxSize bases are refused"))
};

/// Whether the bases of a problem are at most 2 to the power `size`: an interval with one end gives two, one with two
/// ends three, an equality and a fixed multiplier one.
bool hasFewBases(const Intervals& intervals, std::size_t size);

/// Tries all bases of a problem over intervals until one is a solution: each row at its lower bound, free with w = 0,
/// or at its upper bound (infinite ones left out), in the order of BoxBasis::next(); of an LCP 2ⁿ, in the order of the
/// binary number of what is free. The reference for tests: any M. A basis that is singular gets its least-squares
/// solution of least norm (which allocates). If no basis fits, the report says `infeasible` if that is proved
/// (provesUnsolvable), `numericalFailure` otherwise.
class EnumerationSolver final : public WithOptions<Solver<ProblemOverSets>, EnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit EnumerationSolver(EnumerationOptions options = {}) : WithOptions("EnumerationSolver", options) {}

  std::string_view name() const override { return "EnumerationSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  Outcome withoutFit(const BoxView& view, std::size_t tried) const;

  DenseBox box_;
  BoxBasis basis_;
  Vector best_;
};

}  // namespace delassus::numerics
