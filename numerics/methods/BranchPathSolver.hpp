// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Whether a multiplier of n that is not free acts on its own output with positive feedback, beyond rounding: solutions
/// have branches then. `diagonal(i)` is M_ii.
template <class Diagonal, class Bounds>
bool hasPositiveFeedback(std::size_t n, const Diagonal& diagonal, const Bounds& lower, const Bounds& upper) {
  constexpr double rounding = 1e-12;  // of the largest entry
  double least = 0., largest = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(diagonal(i)));
    const bool isFree = std::isinf(lower(i)) && std::isinf(upper(i));
    if (!isFree && lower(i) < upper(i)) least = std::min(least, static_cast<double>(diagonal(i)));
  }
  return least < -rounding * largest;
}

/// Options of BranchPathSolver.
struct BranchPathOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxPivots, 0, range::notNegative, "exchanges of a row at most; 0: 20 + 5 n"))
};

/// Follows solutions over intervals from a start z to a solution, along the path of
///
///     M z + q − s d,   s from 1 to 0,
///
/// d such that the start solves the problem at s = 1: d_i = 0 where it does so already, so that only what a step has
/// violated moves; first what rows between their bounds lack, then one row at a bound after another. Pieces of the path
/// are those of one set of free rows, and s goes to and fro along it: where an element of positive feedback comes to
/// its threshold, the path turns back through the branch between, on which no device stays, and forward again on the
/// other one. It comes to s = 0 on a branch that does not turn back, as the start does (the index of a solution;
/// Cottle, Pang, Stone, The Linear Complementarity Problem, 1992, section 6.1).
///
/// Rows begin where z is: at a bound, or free between; with M_ii < 0 they begin at the bound that w asks for, and if
/// the free rows together turn back, all do. For small dense problems: a factorisation of the free rows a pivot. A path
/// that ends in a ray or a singular set ends as `numericalFailure`, which proves nothing.
class BranchPathSolver final : public WithOptions<Solver<ProblemOverSets>, BranchPathOptions> {
 public:
  /// Throws Error on options out of range.
  explicit BranchPathSolver(BranchPathOptions options = {});

  std::string_view name() const override { return "BranchPathSolver"; }

 private:
  using Side = BoxBasis::Side;
  // The next end of a piece: how far it is in s, and the row that ends it.
  struct End {
    double step;
    std::size_t row;
  };

  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  bool begin(const BoxView& view, Vector& z);
  bool isForward(const BoxView& view);
  void holdAll(const BoxView& view);
  void takeDirection(const BoxView& view, Vector& z);
  bool takeGroup(const BoxView& view, std::size_t group);
  SolveStatus follow(const BoxView& view, std::size_t& pivots);
  bool solvePiece(const BoxView& view);
  End endOfPiece(const BoxView& view, double s, double way) const;
  bool exchange(const BoxView& view, std::size_t row, double& way);

  DenseBox box_;
  BoxBasis basis_, equalities_;
  std::vector<Side> sides_, first_;  // the present ones, and those of the start
  Vector total_, shifted_;           // −d of all rows; q − d of those whose turn has not come
  Vector minusD_, zero_;             // −d of those whose turn it is; bounds of the change of a piece
  Vector z_, dz_;                    // z = z_ + s dz_ along a piece
  Vector w_, dw_;                    // w likewise
};

}  // namespace delassus::numerics
