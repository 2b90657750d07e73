// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/RowwiseSet.hpp>

namespace delassus::numerics {

/// The λ with l_i ≤ λ_i ≤ u_i, row by row, ends being those of the problem, which may be infinite: unilateral
/// constraints, limits, dry friction in an axis. Its local solve is the closed form; a row without stiffness goes to
/// the bound in the direction of its velocity, if there is one.
class Box final : public RowwiseSet {
 public:
  Box() : RowwiseSet({.isBox = true}) {}
  std::string_view name() const override { return "box"; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const override;
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const override;
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
  void draw(const Rows& rows, double energy, std::mt19937_64& generator, double* lambda) const override;
};

}  // namespace delassus::numerics
