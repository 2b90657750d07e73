// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <memory>

namespace delassus::numerics {

/// A group of consecutive rows of a problem over sets with one law.
struct Part {
  std::shared_ptr<const ConvexSet> set;  ///< of its multipliers, not null; may be shared with other parts
  std::size_t rows = 1;                  ///< of λ and w

  /// Rows that obey their law one by one: FreeSpace, Box and Orthant.
  ///@{
  static Part equality(std::size_t rows);
  static Part box(std::size_t rows);
  static Part orthant(std::size_t rows);
  ///@}
  /// CoulombCone, rows (N, T) or (N, T1, T2), for dimension 2 or 3.
  static Part coulomb(std::size_t dimension, double friction);
  /// AssociatedCone, rows as of Coulomb's.
  static Part associated(std::size_t dimension, double friction);
  /// RollingCone, rows (N, T, R) in dimension 2, (N, T1, T2, R1, R2) in dimension 3.
  static Part rollingContact(std::size_t dimension, double friction, double rolling);
  /// SecondOrderCone in any number of rows.
  static Part secondOrderCone(std::size_t rows, double aperture = 1.);
  /// Ball in any number of rows.
  static Part ball(std::size_t rows, double radius);
  /// DruckerPragerCone, rows (p, s...); a friction of 0 is von Mises' cylinder.
  static Part druckerPrager(std::size_t rows, double friction, double cohesion);
};

}  // namespace delassus::numerics
