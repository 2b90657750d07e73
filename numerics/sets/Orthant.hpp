// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/IntervalSet.hpp>

namespace delassus::numerics {

/// The λ ≥ 0 of complementarity, 0 ≤ w ⟂ λ ≥ 0, row by row.
class Orthant final : public IntervalSet<HalfLineEnds> {
 public:
  Orthant() : IntervalSet({.isOrthant = true}) {}
  std::string_view name() const override { return "orthant"; }
  void validate(std::size_t, std::size_t, const double*, const double*) const override {}
};

}  // namespace delassus::numerics
