// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/sets/Part.hpp>

namespace delassus::test {

/// Rows and coefficients of a contact part, told from the name of its set alone.
struct ContactRows {
  std::size_t tangents, rolls;
  double friction, rolling;

  explicit ContactRows(const numerics::Part& part)
      : tangents(part.set->name() == "rolling" ? (part.rows - 1) / 2 : part.rows - 1),
        rolls(part.rows - 1 - tangents),
        friction(part.set->coefficients()[0]),
        rolling(part.set->coefficients()[1]) {}
};

}  // namespace delassus::test
