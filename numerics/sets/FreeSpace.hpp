// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/RowwiseSet.hpp>

namespace delassus::numerics {

/// ℝᵐ: w = 0, λ free; joints and other equalities. Its local solve has a rank-revealing factor, so that a joint may
/// have redundant rows.
class FreeSpace final : public RowwiseSet {
 public:
  FreeSpace() : RowwiseSet({.isFree = true}) {}
  std::string_view name() const override { return "equality"; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const override;
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const override;
  void project(const Rows&, double*) const override {}
  bool intervals(std::size_t rows, const double* lower, const double* upper, double* least,
                 double* most) const override;
  void prepareLocal(const double* block, std::size_t rows, RankRevealingLU& factor) const override;
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
  void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const override;
};

}  // namespace delassus::numerics
