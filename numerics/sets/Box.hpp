// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/IntervalSet.hpp>

namespace delassus::numerics {

/// The λ with l_i ≤ λ_i ≤ u_i, row by row, ends being those of the problem, which may be infinite: unilateral
/// constraints, limits, dry friction in an axis.
class Box final : public IntervalSet<GivenEnds> {
 public:
  Box() : IntervalSet({.isBox = true}) {}
  std::string_view name() const override { return "box"; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
};

}  // namespace delassus::numerics
