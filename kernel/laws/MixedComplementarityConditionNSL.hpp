// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// y_i = 0 with any λ_i on the first rows, 0 ≤ y_i ⟂ λ_i ≥ 0 on the others: a circuit's algebraic equations together
/// with its diodes, which must share one interaction if the multipliers of some rows enter the outputs of others (the D
/// of a relation couples the rows of one interaction only).
class MixedComplementarityConditionNSL final : public NonSmoothLaw {
 public:
  /// `size` rows in all, `equalities` of them equalities. Throws Error if there is no row at all or if there are more
  /// equalities than rows.
  MixedComplementarityConditionNSL(std::size_t size, std::size_t equalities);

  /// Number of the rows that are equalities, which come first.
  std::size_t equalities() const { return equalities_; }

  std::string_view className() const override { return "MixedComplementarityConditionNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return size_; }
  void bounds(double* lower, double* upper) const override;

 private:
  std::size_t size_;
  std::size_t equalities_;
};

}  // namespace delassus
